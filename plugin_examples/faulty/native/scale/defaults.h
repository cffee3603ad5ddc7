// What the second source file of scale.cpp holds.
#pragma once

namespace faulty {

struct Defaults {
    Defaults();
    char name[16];
    int fields;
    void (*check)();
};

extern Defaults theDefaults;

}  // namespace faulty
