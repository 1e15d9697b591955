"""Writes instruction traces (.pmt) from Python; isa-traces/README.md describes the format. Needs the standard library
only. The trace is not compressed; `pmusim trace convert FILE -o SMALL.pmt` compresses it.

    with Writer("a.pmt", "i386", program="a.out") as writer:
        writer.directive("cpl 3")
        writer.instruction(0x8049000, bytes.fromhex("0304 8e"), [("L", 0x804c000, 4)])
        writer.instruction(0x8049003, b"\\xeb\\xfb", target=0x8049000)

A temporary file in the same folder is written and renamed when it is complete. A symbolic link is replaced at its
target; a device is refused. The writer does not check the rules of isa-traces/README.md; `pmusim trace info FILE` reads
and checks the whole trace.
"""
import os
import struct
import zlib

ISAS = ("alpha", "ppc", "i386", "ia64")
MOST_IN_CHUNK, FULL_PAYLOAD, BLOCK = 65536, 1 << 20, 128 << 10
LEVELS, TLBS = ("l1", "l2", "l3", "mem"), ("hit", "l2", "walk", "fault")
# Number of a key in the file, and the names of its values 1, 2, ...
KEYS = {"mispredict": (2, ("none", "path", "target")), "lat": (3, ()), "data": (4, LEVELS), "dtlb": (5, TLBS),
        "fetch": (6, LEVELS), "itlb": (7, TLBS), "cfm": (16, ()), "bsp": (17, ()), "loadrs": (18, ()), "ftz": (20, ()),
        "trap": (21, ("arithmetic",))}
READ, WRITE, DEFER = 0, 9, 19


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value):
    """A difference modulo 2**64 in zigzag order (0, -1, 1, -2, ...) as a varint."""
    value &= (1 << 64) - 1
    return varint((value << 1 & (1 << 64) - 1) ^ (-(value >> 63) & (1 << 64) - 1))


def text(value):
    data = value.encode() if isinstance(value, str) else bytes(value)
    return varint(len(data)) + data


def stored(payload):
    """A zstd frame of raw blocks."""
    frame = bytearray(b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(payload)))
    for at in range(0, len(payload), BLOCK):
        block = payload[at:at + BLOCK]
        frame += (len(block) << 3 | (at + BLOCK >= len(payload))).to_bytes(3, "little") + block
    return bytes(frame)


def beside(name):
    """Creates a file with a new name in the folder of `name`; returns the file and its name."""
    for end in ("", *range(1, 100)):
        part = f"{name}.part{end}"
        try:
            return open(part, "xb"), part
        except FileExistsError:
            pass
    raise FileExistsError(f"{name}.part to {name}.part99 are all there")


def drop(writer):
    """Closes and removes the temporary file, unless it has been renamed."""
    try:
        writer._file.close()
    finally:
        if writer._part:
            os.unlink(writer._part)
            writer._part = None


class Writer:
    def __init__(self, file, isa, program=""):
        self._isa = ISAS.index(isa)
        self._name = os.path.realpath(file)
        if os.path.exists(self._name) and not os.path.isfile(self._name):
            raise ValueError(f"{file}: exists and is no regular file; give the name of a file to write")
        self._program = program.encode()
        self._file, self._part = beside(self._name)
        self._file.write(self._header(0))
        self._payload, self._directives, self._index = bytearray(), [], b""
        self._in_chunk = self._instructions = self._chunks = 0
        self._first_pc = self._expected = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.close()
        finally:
            drop(self)

    def _header(self, instructions):
        header = b"\x89PMT\r\n\x1a\n" + struct.pack("<IBBHIQ", 1, self._isa, 1, len(self._program), MOST_IN_CHUNK,
                                                    instructions) + self._program
        return header + struct.pack("<I", zlib.crc32(header))

    def directive(self, line):
        """Adds a directive before the next instruction, as in the text form after `! `: "msr pr=1"."""
        name, *operands = line.split()
        pairs = [operand.split("=", 1) if "=" in operand else ("", operand) for operand in operands]
        self._directives.append(text(name) + varint(len(pairs)) + b"".join(text(key) + text(value) for key, value in pairs))

    def _take_directives(self):
        told = varint(len(self._directives)) + b"".join(self._directives) if self._directives else b""
        self._directives = []
        return told

    def instruction(self, pc, code, accesses=(), target=None, mask="xxx", reads=(), writes=(), deferrals=(), **keys):
        """Adds an executed instruction (ia64: a bundle). `accesses`: ("L" or "S", address, size), on ia64 followed by
        the slot. `reads`: names of PMU registers; `writes`: (name, value). `deferrals`: (slot, address). Other keys are
        named arguments: lat=9, data="l2"."""
        told = [varint(READ) + text(name) for name in reads]
        told += [varint(WRITE) + text(name) + varint(value) for name, value in writes]
        for key, value in keys.items():
            number, names = KEYS[key]
            told.append(varint(number) + varint(names.index(value) + 1 if names else value))
        told += [varint(DEFER) + varint(slot) + varint(address) for slot, address in deferrals]
        if self._in_chunk == 0:
            self._first_pc = self._expected = pc
        moved = pc != self._expected
        rare = bool(self._directives) | moved << 1 | bool(told) << 2
        control = 1 | (6 if target is not None else 0) | (24 if accesses else 0) | bool(rare) << 5 | (mask != "xxx") << 6
        out = bytearray([control])
        if rare:
            out.append(rare)
            out += self._take_directives()
            if moved:
                out += signed(pc - self._expected)
            if told:
                out += varint(len(told)) + b"".join(told)
        out += text(code)
        if mask != "xxx":
            out.append(sum("-px".index(letter) << 2 * slot for slot, letter in enumerate(mask)))
        if target is not None:
            out += signed(target)
        if accesses:
            out += varint(len(accesses))
            for kind, _, size, *slot in accesses:
                shape = size << 2 | (slot[0] if slot else 0) if ISAS[self._isa] == "ia64" else size
                out += varint(shape << 1 | "LS".index(kind))
            before = 0
            for _, address, *_ in accesses:
                out += signed(address - before)
                before = address
        self._payload += out
        self._expected = pc + len(code) if target is None else target
        if ISAS[self._isa] in ("ppc", "i386"):
            self._expected &= 0xFFFFFFFF
        self._in_chunk += 1
        self._instructions += 1
        if self._in_chunk == MOST_IN_CHUNK or len(self._payload) >= FULL_PAYLOAD:
            self._end_chunk()

    def _end_chunk(self):
        if not self._payload:
            return
        frame = stored(bytes(self._payload))
        head = struct.pack("<IIIQ", len(self._payload), len(frame), self._in_chunk,
                           self._first_pc if self._in_chunk else 0)
        self._index += struct.pack("<QQ", self._file.tell(), self._instructions - self._in_chunk)
        self._file.write(b"CHNK" + head + struct.pack("<I", zlib.crc32(bytes(self._payload), zlib.crc32(head))) + frame)
        self._chunks += 1
        self._payload, self._in_chunk = bytearray(), 0

    def close(self):
        """Completes the file and renames it."""
        self._payload += self._take_directives()
        self._end_chunk()
        at = self._file.tell()
        entries = self._index + struct.pack("<Q", self._instructions)
        self._file.write(b"INDX" + struct.pack("<Q", self._chunks) + entries + struct.pack("<IQ", zlib.crc32(entries), at) +
                         b"PMTEND\r\n")
        self._file.seek(0)
        self._file.write(self._header(self._instructions))
        self._file.close()
        os.replace(self._part, self._name)
        self._part = None
