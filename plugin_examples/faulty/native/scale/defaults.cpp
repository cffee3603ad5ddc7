// The second source file of scale.cpp: an object that the first must not use while the library is loaded.
#include "defaults.h"

#include <cstring>

namespace faulty {

Defaults::Defaults() {
    std::strcpy(name, "FaultyScale");
    fields = 1;
    check = [] {};
}

Defaults theDefaults;

}  // namespace faulty
