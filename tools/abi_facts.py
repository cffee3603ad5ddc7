#!/usr/bin/env python3
"""Derive the facts of TensorRT's C++ ABI from its public headers, and compare them with the table in this repository.

    python tools/abi_facts.py HEADERS            # prints differences from reference_runtime/native/abi/facts.json
    python tools/abi_facts.py HEADERS --write    # writes the facts of these headers' epoch there

HEADERS is the folder with NvInfer.h; ``--cuda`` names the folder of CUDA's headers. The facts are the functions of each
virtual table, the layout of structures, and the values of enumerators. They are names, numbers and offsets. The tool
compiles one file that includes these headers with g++. It reads the facts from the debug information (DWARF) with
readelf.
"""

import argparse
import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "reference_runtime" / "native" / "abi" / "facts.json"
#: The classes that plugins implement or use. IDimensionExpr and IExprBuilder are no interfaces: they call ``apiv::V*``.
INTERFACES = (
    "INoCopy", "apiv::VRoot", "IVersionedInterface", "IPluginCapability", "IPluginResource",
    "IPluginCreatorInterface", "IPluginV3", "IPluginV3OneCore", "IPluginV3OneBuild", "IPluginV3OneBuildV2",
    "IPluginV3OneRuntime", "IPluginCreatorV3One", "IPluginV2", "IPluginV2Ext", "IPluginV2IOExt",
    "IPluginV2DynamicExt", "IPluginCreator", "IPluginRegistry", "IPluginResourceContext", "IGpuAllocator",
    "IGpuAsyncAllocator", "IErrorRecorder", "ILogger", "ILoggerFinder", "IDimensionExpr", "IExprBuilder",
    "apiv::VDimensionExpr", "apiv::VExprBuilder",
)  # fmt: skip
RECORDS = ("Dims", "PluginField", "PluginFieldCollection", "PluginTensorDesc", "DynamicPluginTensorDesc", "DimsExprs",
           "InterfaceInfo")  # fmt: skip
ENUMERATIONS = ("DataType", "TensorFormat", "PluginFieldType", "PluginCapabilityType", "TensorRTPhase",
                "DimensionOperation", "APILanguage", "ILogger::Severity", "ErrorCode")  # fmt: skip
#: The public name of a class whose name in a versioned namespace differs.
RENAMED = {"v_2_0::IPluginV3OneBuild": "IPluginV3OneBuildV2"}
DESTRUCTOR = "~"


@dataclasses.dataclass
class Entry:
    """One entry of the debug information, with its attributes and the entries nested in it."""

    tag: str
    values: dict[str, str] = dataclasses.field(default_factory=dict)
    parts: list["Entry"] = dataclasses.field(default_factory=list)
    scope: str = ""

    @property
    def name(self):
        """The name; empty if it has none."""
        return self.values.get("name", "")


class Compiled:
    """The compiler's description of the headers."""

    def __init__(self, headers, cuda):
        with tempfile.TemporaryDirectory() as folder:
            source, made = pathlib.Path(folder, "all.cpp"), pathlib.Path(folder, "all.o")
            source.write_text('#include <cuda_runtime_api.h>\n#include "NvInfer.h"\n', encoding="utf-8")
            flags = [
                "-std=c++17",
                "-w",
                "-g",
                "-fno-eliminate-unused-debug-types",
                "-femit-class-debug-always",
                f"-I{headers}",
                f"-I{cuda}",
            ]
            subprocess.run(["g++", *flags, "-c", source, "-o", made], check=True)
            dump = subprocess.run(["readelf", "--debug-dump=info", made], check=True, capture_output=True, text=True)
        self.entries: dict[str, Entry] = {}
        self._read(dump.stdout)
        self.named = collections.defaultdict(list)
        for entry in self.entries.values():
            if entry.name and "declaration" not in entry.values:
                self.named[f"{entry.scope}{entry.name}"].append(entry)

    def _read(self, text):
        open_at: dict[int, Entry] = {}
        current = None
        for line in text.splitlines():
            if begun := re.match(r" <(\w+)><(\w+)>: Abbrev Number: \d+ \((?:DW_TAG_)(\w+)\)", line):
                depth = int(begun[1], 16)
                parent = open_at.get(depth - 1)
                scope = ""
                if parent is not None and parent.tag in {"namespace", "class_type", "structure_type"}:
                    scope = f"{parent.scope}{parent.name}::"
                current = self.entries[begun[2]] = open_at[depth] = Entry(begun[3], scope=scope)
                if parent is not None:
                    parent.parts.append(current)
            elif current is not None and (value := re.match(r"\s+<\w+>\s+DW_AT_(\w+)\s*:\s?(.*)$", line)):
                current.values[value[1]] = re.sub(r"^\(indirect string, offset: \w+\): ", "", value[2]).strip()

    def type_of(self, entry):
        """Return the type of an entry in C++ syntax."""
        reference = re.search(r"<0x(\w+)>", entry.values.get("type", ""))
        if reference is None:
            return "void"
        target = self.entries[reference[1]]
        if target.tag in {"pointer_type", "reference_type"}:
            return f"{self.type_of(target)}{'*' if target.tag == 'pointer_type' else '&'}"
        if target.tag == "const_type":
            return f"{self.type_of(target)} const"
        if target.tag == "array_type":
            return self.type_of(target)
        scope = target.scope.replace("nvinfer1::", "").replace("v_1_0::", "")
        return f"{scope.removeprefix('std::')}{target.name}".replace("long unsigned int", "size_t")


def class_named(compiled, name):
    """Return the entry of a TensorRT class by its public name; None if the headers do not have it."""
    spelled = next((old for old, new in RENAMED.items() if new == name), name)
    scopes = (f"v_1_0::{spelled}", spelled, name)
    entries = [each for scope in scopes for each in compiled.named[f"nvinfer1::{scope}"]]
    return next((each for each in entries if each.tag in {"class_type", "structure_type"}), None)


def slots_of(compiled, entry):
    """Return a class's virtual table: a signature for each slot; a virtual destructor has two slots."""
    base = base_of(compiled, entry)
    slots = dict(enumerate(slots_of(compiled, base))) if base is not None else {}
    inherited = len(slots)
    for part in entry.parts:
        place = re.search(r"DW_OP_constu: (\d+)", part.values.get("vtable_elem_location", ""))
        if part.tag == "subprogram" and place and int(place[1]) >= inherited:
            slots[int(place[1])] = signature(compiled, part)
    count = max(slots, default=-1) + 1
    own = any(each.name.startswith("~") and "virtuality" in each.values for each in entry.parts)
    if own and DESTRUCTOR not in slots.values() and len(slots) == count:
        count += 2
    return [slots.get(place, DESTRUCTOR) for place in range(count)]


def is_versioned(interfaces, name):
    """Return whether an interface derives from IVersionedInterface, so that it reports its kind and version."""
    return name == "IVersionedInterface" or (name != "" and is_versioned(interfaces, interfaces[name]["base"]))


def base_of(compiled, entry):
    """Return the base class of a class, if the base has a virtual table; else None."""
    for part in entry.parts:
        if part.tag == "inheritance":
            reference = re.search(r"<0x(\w+)>", part.values["type"])
            base = compiled.entries[reference[1]]
            if base.tag == "typedef":
                base = compiled.entries[re.search(r"<0x(\w+)>", base.values["type"])[1]]
            if slots_of(compiled, base):
                return base
    return None


def signature(compiled, function):
    """Return the C++ declaration of a virtual function, without the names of its parameters."""
    takes = [part for part in function.parts if part.tag == "formal_parameter"]
    this, parameters = takes[0], takes[1:]
    constant = " const" if " const*" in compiled.type_of(this) else ""
    return f"{compiled.type_of(function)} {function.name}({', '.join(map(compiled.type_of, parameters))}){constant}"


def record_of(compiled, entry):
    """Return the size of a structure and its members: offset and type."""
    members = {
        part.name: [int(part.values["data_member_location"]), compiled.type_of(part)]
        for part in entry.parts
        if part.tag == "member" and "data_member_location" in part.values
    }
    return {"size": int(entry.values["byte_size"]), "members": members}


def interface_info(headers, cuda, interface):
    """Return the kind, major and minor version that an interface reports of itself; None if it reports none."""
    program = f"""#include <cuda_runtime_api.h>
#include "NvInfer.h"
#include <cstdio>
using namespace nvinfer1;
alignas(16) char memory[4096];
int main() {{ auto i = reinterpret_cast<{interface}*>(memory)->{interface}::getInterfaceInfo();
std::printf("%s|%d|%d", i.kind, i.major, i.minor); }}"""
    with tempfile.TemporaryDirectory() as folder:
        source, made = pathlib.Path(folder, "info.cpp"), pathlib.Path(folder, "info")
        source.write_text(program, encoding="utf-8")
        flags = ["-std=c++17", "-w", "-O2", f"-I{headers}", f"-I{cuda}"]
        if subprocess.run(["g++", *flags, source, "-o", made], check=False, capture_output=True).returncode:
            return None
        kind, major, minor = subprocess.run([made], check=True, capture_output=True, text=True).stdout.split("|")
    return [kind, int(major), int(minor)]


def facts_of(headers, cuda):
    """Return the facts of the headers in a folder."""
    compiled = Compiled(headers, cuda)
    interfaces = {}
    for name in INTERFACES:
        entry = class_named(compiled, name)
        if entry is not None:
            base = base_of(compiled, entry)
            inherited = 0 if base is None else len(slots_of(compiled, base))
            slots = slots_of(compiled, entry)[inherited:]
            interfaces[name] = {"base": "" if base is None else public(base), "slots": slots}
            info = interface_info(headers, cuda, name) if is_versioned(interfaces, name) else None
            if info is not None:
                interfaces[name]["info"] = info
    dims = {"Dims": class_named(compiled, "Dims64") or class_named(compiled, "Dims32")}
    records = {name: dims.get(name) or class_named(compiled, name) for name in RECORDS}
    enumerations = {}
    for name in ENUMERATIONS:
        for spelled in (f"nvinfer1::{name}", f"nvinfer1::v_1_0::{name}"):
            for entry in compiled.named[spelled]:
                if entry.tag == "enumeration_type":
                    values = {part.name: int(part.values["const_value"]) for part in entry.parts}
                    enumerations[name] = {"type": compiled.type_of(entry), "values": values}
    return {
        "version": version_of(headers),
        "interfaces": interfaces,
        "records": {name: record_of(compiled, entry) for name, entry in records.items() if entry is not None},
        "enumerations": enumerations,
    }


def public(entry):
    """Return the public name of a class."""
    name = f"{entry.scope}{entry.name}".replace("nvinfer1::", "")
    return RENAMED.get(name, name.replace("v_1_0::", ""))


def version_of(headers):
    """Return the version in NvInferVersion.h."""
    text = pathlib.Path(headers, "NvInferVersion.h").read_text(encoding="utf-8")
    numbers = dict(re.findall(r"#define (?:NV_TENSORRT|TRT)_(MAJOR|MINOR|PATCH)(?:_ENTERPRISE)? (\d+)", text))
    return ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))


def epoch_of(version):
    """Return the epoch of the ABI that a version of TensorRT belongs to."""
    major = int(version.partition(".")[0])
    return "8" if major in {8, 9} else str(major)


def differences(known, actual, place=""):
    """Yield the differences between the table and the headers' facts."""
    if isinstance(known, dict) and isinstance(actual, dict):
        for key in sorted({*known, *actual}):
            yield from differences(known.get(key), actual.get(key), f"{place}/{key}")
    elif known != actual:
        yield f"{place}: the table has {known}, the headers {actual}"


def shown(table):
    """Return the table as JSON, with one line for each interface, record and enumeration."""
    text = json.dumps(table, indent=1)
    return re.sub(r"\n {4,}|\n {3}(?=[\]}])", " ", text) + "\n"


def main():
    """Compare the table with the headers, or write it; return 1 if they differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headers", type=pathlib.Path)
    parser.add_argument("--cuda", type=pathlib.Path, default=pathlib.Path("/usr/local/cuda/include"))
    parser.add_argument("--write", action="store_true", help="write the facts of these headers into the table")
    given = parser.parse_args()
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.is_file() else {}
    facts = facts_of(given.headers, given.cuda)
    epoch = epoch_of(facts["version"])
    if given.write:
        table[epoch] = facts
        TABLE.write_text(shown(dict(sorted(table.items(), key=lambda each: int(each[0])))), encoding="utf-8")
        print(f"{TABLE.relative_to(ROOT)}: epoch {epoch} is as in TensorRT {facts['version']}")
        return 0
    wrong = list(differences({**table.get(epoch, {}), "version": ""}, {**facts, "version": ""}))
    print("\n".join(wrong) or f"TensorRT {facts['version']}: epoch {epoch} of the table is true of it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
