"""Encoders of the Itaniums: one PMC for each event, as Intel's reference manuals define it."""
import itertools
from collections import namedtuple

from rows import read
from protocol import free_counters, invalid, unsupported

INTERRUPT, PRIVILEGED, ENABLE, IA64 = 1 << 5, 1 << 6, 1 << 23, 2 << 24
THRESHOLD, INSTRUCTION_SET = 20, 24
MESI = {"I": 1 << 27, "S": 1 << 28, "E": 1 << 29, "M": 1 << 30}
HAS_MESI = 1 << 4  # of a row's qualifiers
FIRST = 4
COUNTERS = {"itanium2": 4, "montecito": 12}
ATTRIBUTES = {"oprofile": {"u", "k", "intr"},
              "libpfm": {"u", "k", "plm", "intr", "pm", "t", "ism", "me", "unchecked"}}
L1D, L2 = 1, 2  # groups

Row = namedtuple("Row", "code umask counters group set mesi")


def levels(attributes):
    if "plm" in attributes:
        return attributes["plm"]
    if "u" not in attributes and "k" not in attributes:
        return 9
    return (8 if attributes.get("u") else 0) | (1 if attributes.get("k") else 0)


def groups_hold(rows, places):
    """Events of a group share one set; the first counter of the group has one of them, whose mask holds for all."""
    for group, first in ((L1D, 5), (L2, 4)):
        own = {place: row for row, place in zip(rows, places) if row.group == group}
        if not own:
            continue
        if first not in own or len({row.set for row in own.values()}) > 1:
            return False
        lead = own[first]
        if group == L2 and lead.set not in (1, 2) and any(row.umask not in (0, lead.umask) for row in own.values()):
            return False
    return True


class Encoder:
    def __init__(self, table, arithmetic, target):
        self.target, self.sets = target, target == "itanium2" and arithmetic == "libpfm"
        self.attributes = ATTRIBUTES["libpfm" if arithmetic == "libpfm" else "oprofile"]
        self.rows = {}
        for row in read(table):
            if row.get("kind", "0") != "0" or not row["event"]:
                continue
            if row["event"] in self.rows and arithmetic == "oprofile":
                continue  # the first row of a name
            self.rows[row["event"]] = Row(int(row["code"], 0), int(row["umask"], 0) & 15,
                                          [int(n) for n in row["counters"].split()], int(row.get("group") or 0),
                                          row.get("set"), bool(int(row.get("qualifiers") or "0", 0) & HAS_MESI)
                                          and target == "montecito")

    def row(self, event):
        if "raw" in event or event["name"] not in self.rows:
            unsupported(f"no event {event.get('raw', event['name'])}")
        row = self.rows[event["name"]]
        for name in event["umasks"]:
            if not row.mesi or name not in MESI:
                unsupported(f"no mask '{name}' of {event['name']}")
        for name in sorted(set(event["attrs"]) - self.attributes):
            unsupported(f"no attribute {name}")
        if event["attrs"].get("me") == 0:
            unsupported("a thread counts its own occurrences only")
        return row

    def word(self, event, row, place, interrupt):
        attributes = event["attrs"]
        for name, most in (("t", 7), ("plm", 15), ("ism", 2)):
            if attributes.get(name, 0) > most:
                invalid(f"{name} is at most {most}")
        value = levels(attributes) | row.code << 8 | row.umask << 16 | attributes.get("t", 0) << THRESHOLD
        value |= (INTERRUPT if interrupt else 0) | (PRIVILEGED if attributes.get("pm") else 0)
        if self.target == "itanium2":
            return value | attributes.get("ism", 0) << INSTRUCTION_SET | (ENABLE if place == FIRST else 0)
        if row.mesi:
            value |= sum(MESI[name] for name in event["umasks"] or MESI)
        return value | IA64

    def place(self, rows, free):
        for places in itertools.permutations(free, len(rows)):
            if all(place in row.counters for row, place in zip(rows, places)) and groups_hold(rows, places):
                return places
        invalid("no assignment of counters")

    def encode(self, request):
        events = request["events"]
        free = [n + FIRST for n in free_counters(request, COUNTERS[self.target])]
        if len(events) > len(free):
            invalid("more events than counters")
        if len(events) > 1 and not self.sets:
            unsupported("one event at a time")
        rows = [self.row(event) for event in events]
        if self.sets:
            places = self.place(rows, free)
        else:
            places = self.place(rows, free)
        values = {FIRST: ENABLE} if self.target == "itanium2" else {}
        for event, row, place in zip(events, rows, places):
            values[place] = self.word(event, row, place, event["attrs"].get("intr", request["sampling"]))
        values[0] = 0  # ends the freeze
        return {"registers": [{"name": f"PMC{n}", "value": f"{value:#x}"} for n, value in values.items()],
                "counters": [f"PMD{place}" for place in places]}
