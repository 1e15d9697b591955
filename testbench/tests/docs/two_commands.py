"""The README's second command compiles nothing that its first command has compiled: the compile lines are the same.

  two_commands.py SOURCES
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

PRECOMPILED = re.compile(r"pmusim-precompiled-\S*/Unity/")  # an empty source that is named after the build folder


def switches(script):
    """The CMake switches in the script's `cmake --preset`, without those that it sets to variables."""
    text = script.read_text().replace("\\\n", " ")
    line = re.search(r"^ *cmake --preset .*$", text, re.MULTILINE).group()
    return [word for word in re.findall(r"-D\S+", line) if '"' not in word]


def compile_lines(sources, folder, options):
    subprocess.run(["cmake", "-S", sources, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options],
                   check=True, stdout=subprocess.DEVNULL)
    rules = json.loads(subprocess.check_output(["ninja", "-C", folder, "-t", "compdb"], text=True))
    return {rule["output"]: rule["command"].replace(str(folder), "BUILD") for rule in rules
            if rule["output"].endswith(".o") and not PRECOMPILED.search(rule["output"])}


def main():
    sources = pathlib.Path(sys.argv[1])
    lines = []
    for script in ("validate-all", "test-all"):
        with tempfile.TemporaryDirectory(prefix="pmusim-two-") as name:
            options = switches(sources / "scripts" / script)
            assert len(options) >= 3, f"{script}: no switches found"
            lines.append(compile_lines(sources, pathlib.Path(name), options))
    first, second = lines
    assert len(first) > 100, f"only {len(first)} objects"
    bad = [output for output in first if second.get(output) != first[output]]
    for output in bad[:3]:
        print(f"{output}\n  validate-all: {first[output]}\n  test-all:     {second.get(output)}")
    print(f"{len(bad)} of {len(first)} objects of scripts/validate-all are compiled again by scripts/test-all")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
