"""Writes activity files (.pma) from Python; docs/activity.md describes the format. Needs the standard library
only. Blocks are stored unpacked.

    with Writer("a.pma", "athlon") as writer:
        retire = writer.signal("retire")
        clock = writer.state("clock", fields=[("on", 1)])
        instruction = writer.table("instruction", ["id", "ip", "length"])
        writer.change(clock, 0, on=1)
        for cycle in range(100):
            ref = writer.row(instruction, id=cycle, ip=0x1000 + cycle, length=1)
            writer.occur(retire, cycle, ref)
        writer.end_block(100)

Names are those of `pmusim activity dump` and of docs/activity.md. The data goes to a temporary file beside the
final one, which is renamed when it is complete. A symbolic link is followed to its target; a device or a pipe is
written directly.
"""
import os
import struct
import zlib

NO_REF = 0xFFFFFFFF
NOT_TOLD = 0xFFFFFFFFFFFFFFFF


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text(value):
    data = value.encode()
    return varint(len(data)) + data


def column(values):
    """Encodes numbers: a varint for each, or a single one if all are equal."""
    if not values:
        return b""
    if values.count(values[0]) == len(values):
        return b"\0" + varint(values[0])
    return b"\1" + b"".join(map(varint, values))


class Number:
    """A number with named fields: (name, bits) or (name, bits, [names of 0, 1, 2, ...]), from bit 0 on."""

    def __init__(self, name, fields):
        self.name, self.fields, shift = name, {}, 0
        for field, bits, *values in fields:
            self.fields[field] = (((1 << bits) - 1) << shift, shift, values[0] if values else [])
            shift += bits

    def value(self, named):
        result = 0
        for name, value in named.items():
            mask, shift, values = self.fields[name]
            number = values.index(value) if isinstance(value, str) else int(value)
            if number << shift & ~mask:
                raise ValueError(f"{self.name}: {name}={value} does not fit")
            result |= number << shift
        return result

    def described(self):
        return varint(len(self.fields)) + b"".join(
            text(name) + varint(mask) + varint(len(values)) + b"".join(map(text, values))
            for name, (mask, _, values) in self.fields.items())


class Signal(Number):
    def __init__(self, number, name, fields):
        super().__init__(name, fields)
        self.number, self.rows = number, []


class State(Number):
    def __init__(self, number, name, fields):
        super().__init__(name, fields)
        self.number, self.initial, self.now, self.changes = number, 0, 0, []


class Table:
    def __init__(self, number, name, columns, fields):
        self.number, self.name, self.rows = number, name, []
        self.columns = [Number(column, fields.get(column, [])) for column in columns]


def beside(name):
    """Creates a temporary file beside the final one. Returns the open file and its name."""
    for end in ("", *range(1, 100)):
        part = f"{name}.part{end}"
        try:
            return open(part, "xb"), part
        except FileExistsError:
            pass
    raise FileExistsError(f"{name}.part to {name}.part99 are all there")


def drop(writer):
    """Closes the file and removes it if it is incomplete."""
    try:
        writer._file.close()
    finally:
        if writer._part:
            os.unlink(writer._part)
            writer._part = None


class Writer:
    def __init__(self, file, target, **properties):
        self._name, self._part = os.path.realpath(file), None
        if os.path.exists(file) and not os.path.isfile(file):
            self._file = open(file, "wb")
        else:
            self._file, self._part = beside(self._name)
        self._properties = {"target": target, **properties}
        self._signals, self._states, self._tables = [], [], []
        self._begin = self._offset = 0
        self._index, self._begun = [], False
        self._retired = [NOT_TOLD, NOT_TOLD]

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.close()
        finally:
            drop(self)

    def property(self, key, value):
        self._properties[key] = value

    def signal(self, name, fields=()):
        self._signals.append(Signal(len(self._signals), name, fields))
        return self._signals[-1]

    def state(self, name, fields=()):
        self._states.append(State(len(self._states), name, fields))
        return self._states[-1]

    def table(self, name, columns, fields=None):
        self._tables.append(Table(len(self._tables), name, columns, fields or {}))
        return self._tables[-1]

    def row(self, table, **values):
        """Adds a record to this block; columns that are not named are 0. Its reference is valid until end_block()."""
        row = [values.pop(column.name, 0) for column in table.columns]
        if values:
            raise ValueError(f"table {table.name} has no {', '.join(values)}")
        table.rows.append([column.value(cell) if isinstance(cell, dict) else int(cell)
                           for column, cell in zip(table.columns, row)])
        return len(table.rows) - 1

    def occur(self, signal, cycle, ref=NO_REF, amount=1, **detail):
        at = cycle - self._begin
        if at < 0 or (signal.rows and at < signal.rows[-1][0]):
            raise ValueError(f"signal {signal.name}: cycle {cycle} is before what was put already")
        signal.rows.append((at, amount, signal.value(detail), (ref + 1) & 0xFFFFFFFF))

    def change(self, state, cycle, value=None, **named):
        """Sets the value of a state from `cycle` on."""
        state.now = state.value(named) if value is None else value
        at = cycle - self._begin
        if at < 0 or (state.changes and at < state.changes[-1][0]):
            raise ValueError(f"state {state.name}: cycle {cycle} is before what was put already")
        if at == 0:
            state.initial = state.now
        elif state.changes and state.changes[-1][0] == at:
            state.changes[-1] = (at, state.now)
        else:
            state.changes.append((at, state.now))

    def retired(self, thread, instructions):
        self._retired[thread] = instructions

    def end_block(self, end):
        """Ends the block: all cycles before `end` are complete. The block must have at least one cycle."""
        if end <= self._begin:
            raise ValueError("a block has one cycle at least")
        self._describe()
        signals = [s for s in self._signals if s.rows]
        tables = [t for t in self._tables if t.rows]
        payload = varint(len(signals)) + b"".join(
            varint(s.number) + varint(len(s.rows)) + b"".join(column(c) for c in zip(*s.rows)) for s in signals)
        payload += varint(len(self._states)) + b"".join(
            varint(s.number) + varint(s.initial) + varint(len(s.changes)) + b"".join(column(c) for c in zip(*s.changes))
            for s in self._states)
        payload += varint(len(tables)) + b"".join(
            varint(t.number) + varint(len(t.rows)) + b"".join(column(c) for c in zip(*t.rows)) for t in tables)
        head = struct.pack("<IIBQQQQ", len(payload), len(payload), 0, self._begin, end, *self._retired)
        self._index.append((self._offset, self._begin))
        self._write(b"BLCK" + head + struct.pack("<I", zlib.crc32(payload, zlib.crc32(head))) + payload)
        self._begin = end
        for signal in self._signals:
            signal.rows = []
        for state in self._states:
            state.initial, state.changes = state.now, []
        for table in self._tables:
            table.rows = []

    def close(self):
        self._describe()
        entries = b"".join(struct.pack("<QQ", *entry) for entry in self._index) + struct.pack("<Q", self._begin)
        self._write(b"INDX" + struct.pack("<Q", len(self._index)) + entries +
                    struct.pack("<IQ", zlib.crc32(entries), self._offset) + b"PMAEND\r\n")
        self._file.close()
        if self._part:
            os.replace(self._part, self._name)
            self._part = None

    def _describe(self):
        if self._begun:
            return
        self._begun = True
        out = varint(len(self._properties)) + b"".join(text(k) + text(v) for k, v in self._properties.items())
        for names in (self._signals, self._states):
            out += varint(len(names)) + b"".join(text(name.name) + name.described() for name in names)
        out += varint(len(self._tables)) + b"".join(
            text(t.name) + varint(len(t.columns)) + b"".join(text(c.name) + b"\0" + c.described() for c in t.columns)
            for t in self._tables)
        header = b"\x89PMA\r\n\x1a\n" + struct.pack("<II", 1, len(out)) + out
        self._write(header + struct.pack("<I", zlib.crc32(header)))

    def _write(self, data):
        self._file.write(data)
        self._offset += len(data)
