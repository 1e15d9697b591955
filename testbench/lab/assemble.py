#!/usr/bin/env python3
"""Assembles the laboratory's page: sources, WebAssembly module, activity and lessons in one HTML file.

Modules are inlined as data: URLs of an import map, so that the page's sources are plain ES modules; large parts are
compressed with gzip and decompressed by the browser.
"""

import argparse
import base64
import gzip
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Disassembler and its options, by the prefix of a trace's name.
DISASSEMBLERS = {
    "i386": ("i686-linux-gnu-objdump", ["-m", "i386"]),
    "ppc": ("powerpc-linux-gnu-objdump", ["-m", "powerpc", "-EB"]),
    "alpha": ("alpha-linux-gnu-objdump", ["-m", "alpha"]),
    "ia64": ("ia64-linux-gnu-objdump", ["-m", "ia64"]),
}


def packed(data):
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def newer(target, sources):
    return target.exists() and all(target.stat().st_mtime >= s.stat().st_mtime for s in sources)


def record(program, build, recorder):
    """Activity and code of a program: (image, [(address, bytes)])."""
    image = build / "activity" / f"{program['id']}.img"
    code = image.with_suffix(".code")
    traces = [ROOT / "isa-traces" / "recorded" / f"{name}.pmt" for name in program["traces"]]
    if not newer(image, [recorder, HERE / "programs.json", *traces]) or not code.exists():
        command = [recorder, program["targets"][0], program["region"], image, *traces]
        code.write_text(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    lines = {}
    for line in code.read_text().splitlines():
        address, data = line.split()
        lines[int(address, 16)] = bytes.fromhex(data)
    return image.read_bytes(), sorted(lines.items())


def place_of(isa, address):
    """The address; of an IA-64 instruction the bundle's, with the slot after a point."""
    number = int(address, 16)
    return f"{number & ~15:x}.{(number & 15) // 6}" if isa == "ia64" else address


def disassembly(isa, code, build):
    """[address, text] of every instruction; without a disassembler the text is the bytes."""
    tool, switches = DISASSEMBLERS[isa]
    if shutil.which(tool) is None:
        return [[f"{address:x}", data.hex()] for address, data in code]
    lines = []
    scratch = build / "code.bin"
    run = []

    def flush():
        if not run:
            return
        scratch.write_bytes(b"".join(data for _, data in run))
        listing = subprocess.run(
            [tool, "-D", "-b", "binary", *switches, f"--adjust-vma={run[0][0]:#x}", "--no-show-raw-insn", "-w", scratch],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        for line in listing.splitlines():
            match = re.match(r"\s*([0-9a-f]+):\s+(.*)", line)
            if match:
                lines.append([place_of(isa, match.group(1)), re.sub(r"\s+", " ", match.group(2)).strip()])

    for address, data in code:
        if run and run[-1][0] + len(run[-1][1]) != address:
            flush()
            run = []
        run.append((address, data))
    flush()
    return lines


def embed(identity, text, kind="text/plain"):
    return f'<script type="{kind}" id="{identity}">{text}</script>\n'


def as_json(value):
    return json.dumps(value, separators=(",", ":")).replace("</", "<\\/")


def assemble(build, recorder, cases):
    page = HERE / "page"
    modules = {
        f"lab/{path.name}": "data:text/javascript;base64," + base64.b64encode(path.read_bytes()).decode()
        for path in sorted(page.glob("*.js"))
    }
    data = embed("wasm", packed((build / "wasm" / "lab.wasm").read_bytes()))
    catalogue = []
    for program in json.loads((HERE / "programs.json").read_text()):
        image, code = record(program, build, recorder)
        isa = program["traces"][0].split("-")[0]
        source = (ROOT / "isa-traces" / "programs" / program["source"]).read_text()
        data += embed(f"activity-{program['id']}", packed(image))
        data += embed(f"listing-{program['id']}",
                      packed(as_json({"source": source, "code": disassembly(isa, code, build)}).encode()))
        catalogue.append({**program, "threads": len(program["traces"])})
    data += embed("programs", as_json(catalogue), "application/json")
    data += embed("lessons", as_json(json.loads((HERE / "lessons" / "lessons.json").read_text())), "application/json")
    if cases:
        data += embed("cases", as_json(json.loads(cases.read_text())), "application/json")
    text = (page / "index.html").read_text()
    parts = {
        "<!-- style -->": "<style>\n" + (page / "style.css").read_text() + "</style>",
        "<!-- data -->": data,
        "<!-- modules -->": '<script type="importmap">' + as_json({"imports": modules}) + "</script>\n"
        + "<script>" + (build / "wasm" / "lab.js").read_text() + "</script>",
    }
    for place, part in parts.items():
        if text.count(place) != 1:
            sys.exit(f"assemble: index.html must have '{html.escape(place)}' once")
        text = text.replace(place, part)
    result = build / ("pmusim-lab-test.html" if cases else "pmusim-lab.html")
    result.write_text(text)
    print(f"{result}: {len(text) / 1e6:.1f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--recorder", type=pathlib.Path, required=True)
    parser.add_argument("--cases", type=pathlib.Path)
    options = parser.parse_args()
    assemble(options.build, options.recorder, options.cases)


if __name__ == "__main__":
    main()
