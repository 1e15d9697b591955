# Writes text traces from hand-written assembly: GNU as supplies the encodings, the author everything else.
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Assembler:
    """Encodes single instructions: a first run collects them, then all are assembled together."""

    TOOLS = {
        "ppc": ("powerpc-linux-gnu", ["-mregnames", "-m750cl", "-many"], ""),
        "i386": ("i686-linux-gnu", ["--32"], ".intel_syntax noprefix\n"),
        "ia64": ("ia64-linux-gnu", [], ".explicit\n"),
        "alpha": ("alpha-linux-gnu", ["-mev67"], ".set noat\n.set nomacro\n"),
    }

    def __init__(self, isa):
        self.prefix, self.options, self.head = self.TOOLS[isa]
        self.known = {}
        self.wanted = {}

    def bytes_of(self, text):
        if text in self.known:
            return self.known[text]
        self.wanted[text] = True
        return b"\0\0\0\0"

    def assemble(self):
        """Encodes the collected instructions; returns False if there were none."""
        if not self.wanted:
            return False
        texts = list(self.wanted)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            body = "".join(f".section .t{i},\"ax\"\n{text}\n" for i, text in enumerate(texts))
            (path / "t.s").write_text(self.head + body)
            subprocess.run([self.prefix + "-as", *self.options, "-o", path / "t.o", path / "t.s"], check=True)
            for i, text in enumerate(texts):
                subprocess.run([self.prefix + "-objcopy", "-O", "binary", "-j", f".t{i}", path / "t.o", path / "t.bin"],
                               check=True)
                self.known[text] = (path / "t.bin").read_bytes()
        self.wanted.clear()
        return True


class Trace:
    """A text trace under construction. Addresses are numbers; `load` and `store` make the access operands."""

    def __init__(self, assembler, isa, comment):
        self.assembler = assembler
        self.lines = [f"# {line}" for line in comment.strip().splitlines()] + [f"! isa {isa}"]
        self.pc = 0

    def at(self, pc):
        self.pc = pc
        return self

    def say(self, directive):
        self.lines.append(f"! {directive}")
        return self

    def do(self, text, *accesses, keys=""):
        """Adds an instruction that continues at the next address."""
        return self._line(text, accesses, None, keys)

    def jump(self, text, target, *accesses, keys=""):
        """Adds a taken branch; `{}` in the text stands for the distance from the instruction."""
        return self._line(text.format(target - self.pc), accesses, target, keys)

    def _line(self, text, accesses, target, keys):
        code = self.assembler.bytes_of(text)
        parts = [f"{self.pc:x}", code.hex(), *accesses]
        if target is not None:
            parts.append(f"T {target:x}")
        if keys:
            parts.append(keys)
        self.lines.append(" ".join(parts))
        self.pc = target if target is not None else self.pc + len(code)
        return self


class BundleTrace(Trace):
    """A text trace of IA-64 bundles."""

    def bundle(self, template, *slots, mask=None, accesses=(), taken=None, keys="", goes_on=False):
        """Adds a bundle, `template` as ".mib". `mask` has x, p or - for each slot; `accesses` are made by slot_load()
        and slot_store(), `taken` is (slot, target). `{}` in a slot stands for the distance to the target; `;;` after
        a slot is a stop. The assembler adds a stop after every last bundle, unless the group `goes_on`."""
        target = taken[1] if taken else None
        text = "\n".join(slots).format(target - self.pc if taken else 0)
        behind = "\n{ .mii\nnop.m 0\nnop.i 0\nnop.i 0 ;;\n}" if goes_on else ""
        code = self.assembler.bytes_of(f"1: {{ {template}\n{text}\n}}{behind}")[:16]
        parts = [f"{self.pc:x}", code.ljust(16, b"\0").hex(), mask or "xxx", *accesses]
        if taken:
            parts.append(f"T{taken[0]} {target:x}")
        if keys:
            parts.append(keys)
        self.lines.append(" ".join(parts))
        self.pc = target if taken else self.pc + 16
        return self


def slot_load(slot, address, size):
    return f"L{slot} {address:x} {size}"


def slot_store(slot, address, size):
    return f"S{slot} {address:x} {size}"


def load(address, size):
    return f"L {address:x} {size}"


def store(address, size):
    return f"S {address:x} {size}"


def write_all(folder, isa, programs):
    """Writes a trace for each of `programs`: name -> function(Trace). The docstring becomes the first comment."""
    assembler = Assembler(isa)
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        texts = {}
        for name, program in programs.items():
            trace = (BundleTrace if isa == "ia64" else Trace)(assembler, isa, program.__doc__)
            program(trace)
            texts[name] = "\n".join(trace.lines) + "\n"
        if not assembler.assemble():
            break
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)


def write_or_check(folder, make):
    """Calls make(folder), which writes traces. With --check on the command line nothing is changed: the traces are made
    elsewhere, and the program ends with 1 if one differs from that in the folder, or is in one place alone."""
    if "--check" not in sys.argv[1:]:
        return make(folder)
    missing = [prefix for prefix, _, _ in Assembler.TOOLS.values() if shutil.which(prefix + "-as") is None]
    if missing and not os.environ.get("PMUSIM_REQUIRE_TOOLS"):
        print(f"binutils are not installed: {', '.join(missing)}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        other = pathlib.Path(name)
        make(other)
        folders = [made for made in other.iterdir() if made.is_dir()]
        files = {file.relative_to(root) for root in (other, folder) for part in folders
                 for file in (root / part.name).glob("*.txt")}
        bad = [file for file in sorted(files) if not ((folder / file).is_file() and (other / file).is_file() and
                                                      (folder / file).read_bytes() == (other / file).read_bytes())]
    for file in bad:
        print(f"{folder / file}: is not what the generator makes")
    print(f"{len(files)} traces, {len(bad)} of them different")
    sys.exit(1 if bad or not files else 0)
