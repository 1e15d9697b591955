"""The README's two commands work in a folder with a blank in its name, and the second compiles with the lines of the
first. That the tests themselves run there: as_word() in testbench/tests/tools.h.

  two_commands.py SOURCES
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Commands that a script calls, replaced by one that does nothing but note how it was called.
NOTED = ["cmake", "ctest", "ninja", "scripts/install-dependencies", "build/release/bin/pmusim"]
NOTE = '#!/bin/sh\necho "${0##*/} $*" >>"$NOTES"\n'


def calls_of(script, sources, checkout):
    """The calls that the script makes in a copy of the scripts, in order."""
    (checkout / "scripts").mkdir(parents=True)
    for name in (script, "help-common"):
        shutil.copy(sources / "scripts" / name, checkout / "scripts")
    for name in NOTED:
        file = checkout / name if "/" in name else checkout / "bin" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(NOTE)
        file.chmod(0o755)
    notes = checkout / "notes"
    # test-all puts /usr/bin first; a function of the shell comes before every folder.
    functions = {f"BASH_FUNC_{name}%%": f'() {{ "{checkout}/bin/{name}" "$@"; }}' for name in NOTED if "/" not in name}
    subprocess.run([checkout / "scripts" / script], check=True, stdout=subprocess.DEVNULL, cwd="/",
                   env={**os.environ, **functions, "NOTES": str(notes)})
    return notes.read_text().splitlines()


def compile_lines(sources, folder, options):
    subprocess.run(["cmake", "-S", sources, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options],
                   check=True, stdout=subprocess.DEVNULL)
    rules = json.loads(subprocess.check_output(["ninja", "-C", folder, "-t", "compdb"], text=True))
    return {rule["output"]: rule["command"].replace(str(folder.parent), "HERE") for rule in rules
            if rule["output"].endswith(".o")}


def main():
    sources = pathlib.Path(sys.argv[1])
    lines = []
    with tempfile.TemporaryDirectory(prefix="two commands ") as name:
        folder = pathlib.Path(name)
        (folder / "sources").symlink_to(sources)
        for script, last in (("validate-all", "pmusim validate -t all"), ("test-all", "ctest --preset asan")):
            calls = calls_of(script, sources, folder / script)
            assert calls[0].startswith("install-dependencies") and calls[-1].startswith(last), calls
            options = [word for word in next(c for c in calls if "--preset release" in c).split() if re.match("-D.*=.", word)]
            assert len(options) >= 3, f"{script}: no switches found"
            lines.append(compile_lines(folder / "sources", folder / "build", options))
        first, second = lines
        assert len(first) > 80, f"only {len(first)} objects"
        bad = [output for output in first if second.get(output) != first[output]]
        for output in bad[:3]:
            print(f"{output}\n  validate-all: {first[output]}\n  test-all:     {second.get(output)}")
        print(f"{len(bad)} of {len(first)} objects of scripts/validate-all are compiled again by scripts/test-all")
        if not bad:
            one = next(output for output in first if "pmusim-recorder.dir" in output)  # a small one
            subprocess.run(["ninja", "-C", folder / "build", one], check=True, stdout=subprocess.DEVNULL)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
