#!/usr/bin/env python3
"""Compiles the sources of the laboratory's WebAssembly module as Debian's emscripten would, without emscripten.

    portable.py SOURCE_ROOT BUILD_FOLDER

Emscripten is clang with libc++ 14. This configures the module's own build (testbench/lab/wasm) with clang and libc++ of
that version, and checks the syntax of all sources that it lists: a source that is gone and a name that the library does not
have are errors. The laboratory's own sources and those of scripts/cmake/unity-alone.txt are compiled alone, the others
together with those of their folder.
"""
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

SKIPPED = 77  # SKIP_RETURN_CODE
COMMON = ["algorithm", "array", "cstdint", "functional", "map", "memory", "optional", "span", "stdexcept", "string",
          "string_view", "vector", "fmt/format.h"]


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    return done.returncode, done.stdout + done.stderr


def compile_commands(root, build):
    shutil.rmtree(build, ignore_errors=True)
    code, text = run(["cmake", "-G", "Ninja", "-S", str(root / "testbench/lab/wasm"), "-B", str(build),
                      "-DCMAKE_CXX_COMPILER=clang++-14", "-DCMAKE_CXX_COMPILER_WORKS=1", "-DCMAKE_CXX_FLAGS=-stdlib=libc++",
                      "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"])
    if code != 0:
        sys.exit(text)
    return json.loads((build / "compile_commands.json").read_text())


def units(root, commands):
    """Switches and sources of each compilation."""
    lines = (root / "scripts/cmake/unity-alone.txt").read_text().split("\n")
    patterns = ["testbench/lab/*", *(line for line in lines if line[:1] not in ("", "#"))]
    found = collections.defaultdict(list)
    for entry in commands:
        words = shlex.split(entry["command"])
        output = words.index("-o")
        target = re.search(r"CMakeFiles/([\w-]+)\.dir", words[output + 1])[1]
        source = pathlib.Path(entry["file"])
        name = str(source.relative_to(root))
        alone = name if any(fnmatch.fnmatch(name, pattern) for pattern in patterns) else ""
        found[target, source.parent, alone].append((words[:output], source))
    return [(members[0][0], [source for _, source in members]) for members in found.values()]


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if not shutil.which("clang++-14") or not pathlib.Path("/usr/lib/llvm-14/include/c++/v1").exists():
        print("clang++-14 or libc++-14-dev is missing: scripts/install-dependencies --test installs them")
        return 1 if os.environ.get("PMUSIM_REQUIRE_TOOLS") else SKIPPED
    work = units(root, compile_commands(root, build))
    header = build / "common.h"
    header.write_text("".join(f"#include <{name}>\n" for name in COMMON))

    def precompiled(switches):
        """The common headers for these switches, without the folders and macros of one target."""
        return switches[:1] + [s for s in switches[1:] if not s.startswith(("-D", "-I"))] + ["-I" + str(build / "headers")]

    code, text = run([*precompiled(work[0][0]), "-x", "c++-header", str(header), "-o", str(build / "common.pch")])
    if code != 0:
        sys.exit(text)

    def check(unit):
        switches, sources = unit
        command = [*switches, "-fsyntax-only", "-include-pch", str(build / "common.pch"), "-x", "c++", "-"]
        return run(command, input="".join(f'#include "{source}"\n' for source in sources))

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for code, text in pool.map(check, work):
            if code != 0:
                failures += 1
                print(text)
    (build / "common.pch").unlink()
    print(f"{sum(len(sources) for _, sources in work)} sources, {len(work)} compilations, {failures} failed")
    return 1 if failures or not work else 0


if __name__ == "__main__":
    sys.exit(main())
