# Makes traces from hand-written assembly: GNU as supplies the encodings, the author everything else.
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "foreign"))
import pmusim_trace  # noqa: E402

# Keys of an instruction with a number as their value, and its base.
NUMBERS = {"lat": 10, "loadrs": 10, "ftz": 10, "cfm": 16, "bsp": 16}


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
    """A trace under construction. Addresses are numbers; `load` and `store` make the access operands."""

    def __init__(self, assembler, writer):
        self.assembler = assembler
        self.writer = writer
        self.pc = 0

    def at(self, pc):
        self.pc = pc
        return self

    def say(self, directive):
        self.writer.directive(directive)
        return self

    def do(self, text, *accesses, keys=""):
        """Adds an instruction that continues at the next address."""
        return self._add(self.assembler.bytes_of(text), accesses, None, keys)

    def jump(self, text, target, *accesses, keys=""):
        """Adds a taken branch; `{}` in the text stands for the distance from the instruction."""
        return self._add(self.assembler.bytes_of(text.format(target - self.pc)), accesses, target, keys)

    def _add(self, code, accesses, target, keys, **more):
        self.writer.instruction(self.pc, code, [operand(access) for access in accesses], target, **more, **values(keys))
        self.pc = target if target is not None else self.pc + len(code)
        return self


class BundleTrace(Trace):
    """A trace of IA-64 bundles."""

    def bundle(self, template, *slots, mask="xxx", accesses=(), taken=None, keys="", goes_on=False):
        """Adds a bundle, `template` as ".mib". `mask` has x, p or - for each slot; `accesses` are made by slot_load()
        and slot_store(), `taken` is (slot, target). `{}` in a slot stands for the distance to the target; `;;` after
        a slot is a stop. The assembler adds a stop after every last bundle, unless the group `goes_on`."""
        target = taken[1] if taken else None
        text = "\n".join(slots).format(target - self.pc if taken else 0)
        behind = "\n{ .mii\nnop.m 0\nnop.i 0\nnop.i 0 ;;\n}" if goes_on else ""
        code = self.assembler.bytes_of(f"1: {{ {template}\n{text}\n}}{behind}")[:16].ljust(16, b"\0")
        return self._add(code, accesses, target, keys, mask=mask or "xxx")


def operand(access):
    """The writer's form of `L EA SIZE` or `Ls EA SIZE`."""
    kind, address, size = access.split()
    return (kind[0], int(address, 16), int(size), *map(int, kind[1:]))


def values(keys):
    """The writer's named arguments for `key=value ...`."""
    named = {"writes": [], "deferrals": []}
    for key, value in (word.split("=") for word in keys.split()):
        if key == "wr":
            register, number = value.split(":")
            named["writes"].append((register, int(number, 16)))
        elif key == "defer":
            slot, address = value.split(":")
            named["deferrals"].append((int(slot), int(address, 16)))
        else:
            named[key] = int(value, NUMBERS[key]) if key in NUMBERS else value
    return named


def slot_load(slot, address, size):
    return f"L{slot} {address:x} {size}"


def slot_store(slot, address, size):
    return f"S{slot} {address:x} {size}"


def load(address, size):
    return f"L {address:x} {size}"


def store(address, size):
    return f"S {address:x} {size}"


def pack(isa, programs):
    """The bytes of a collection: a `.pmt` trace for each of `programs`, name -> function(Trace), one after the other."""
    assembler = Assembler(isa)
    with tempfile.TemporaryDirectory() as folder:
        while True:
            files = []
            for name, program in sorted(programs.items()):
                files.append(pathlib.Path(folder) / name)
                with pmusim_trace.Writer(files[-1], isa, name) as writer:
                    program((BundleTrace if isa == "ia64" else Trace)(assembler, writer))
            if not assembler.assemble():
                return b"".join(file.read_bytes() for file in files)
