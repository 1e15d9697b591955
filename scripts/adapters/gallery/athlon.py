"""Encoders of the Athlon: one word for each event, as AMD's publication 22007, figure 11 defines it."""
from collections import namedtuple

from rows import read
from protocol import free_counters, invalid, unsupported

COUNTERS = 4
USER, KERNEL, EDGE, PIN, INTERRUPT, ENABLE, INVERT = (1 << bit for bit in (16, 17, 18, 19, 20, 22, 23))
THRESHOLD = 24
ATTRIBUTES = {"u", "k", "plm", "intr", "e", "i", "c", "pc"}


def negative(bits):
    """Start values as a tool of that many bits writes them: -period."""
    return lambda period: -period % (1 << bits)


def negative_32(period):
    """The driver writes 32 bits; the processor sets those above them, of which a counter has 16."""
    if period >> 32:
        unsupported("a period has 32 bits")
    return 0xFFFF << 32 | -period % (1 << 32)


# attributes: those of the protocol that the tool can express. always_interrupts: the driver sets the interrupt bit.
# no_level: the tool can count at no level. threshold: from the attribute to the 8 bits of the field.
Tool = namedtuple("Tool", "attributes always_interrupts no_level threshold start_value")


def refuse_more(value):
    if value > 255:
        invalid("a threshold has 8 bits")
    return value


TOOLS = {
    "perfctr": Tool(ATTRIBUTES, False, True, refuse_more, None),
    "libpfm": Tool(ATTRIBUTES, False, True, refuse_more, None),
    "oprofile": Tool({"u", "k", "plm", "intr"}, True, True, None, negative_32),
    "freebsd": Tool(ATTRIBUTES - {"pc"}, False, False, lambda value: value & 255, negative(48)),
    "netbsd": Tool({"u", "k", "plm", "intr"}, True, False, None, None),
}


def levels(tool, attributes):
    if "plm" in attributes:
        user, kernel = attributes["plm"] & 0xE, attributes["plm"] & 1
    elif "u" in attributes or "k" in attributes:
        user, kernel = attributes.get("u"), attributes.get("k")
    else:
        user = kernel = 1
    if not user and not kernel and not tool.no_level:
        unsupported("no way to say: at no level")
    return (USER if user else 0) | (KERNEL if kernel else 0)


class Encoder:
    def __init__(self, table, arithmetic):
        self.tool = TOOLS[arithmetic]
        self.codes, self.masks, self.least = {}, {}, {}
        for row in read(table):
            self.codes[row["event"]] = int(row["code"], 0)
            self.masks[row["event"], row["mask"]] = row["bits"] or "0"
            if row["min_period"]:
                self.least[row["event"]] = int(row["min_period"])

    def mask(self, event):
        name, bits = event["name"], 0
        named = [] if event["umasks"] == ["ALL"] else event["umasks"]
        for mask in named or [""]:
            text = self.masks.get((name, mask), "-")
            if text == "-":
                unsupported(f"no mask '{mask}' of {name}")
            bits |= int(text, 0)
        return bits

    def word(self, event, interrupt):
        tool, attributes = self.tool, event["attrs"]
        if event.get("raw", event["name"]) != event["name"] or event["name"] not in self.codes:
            unsupported(f"no event {event.get('raw', event['name'])}")
        for name, value in attributes.items():
            if value and name not in tool.attributes:
                unsupported(f"no attribute {name}")
        value = self.codes[event["name"]] | self.mask(event) << 8 | ENABLE | levels(tool, attributes)
        for name, bit in (("e", EDGE), ("pc", PIN), ("i", INVERT)):
            value |= bit if attributes.get(name) else 0
        if tool.threshold:
            value |= tool.threshold(attributes.get("c", 0)) << THRESHOLD
        return value | (INTERRUPT if interrupt or tool.always_interrupts else 0)

    def encode(self, request):
        tool, events, free = self.tool, request["events"], free_counters(request, COUNTERS)
        if len(events) > len(free):
            invalid("more events than counters")
        registers = [{"name": f"PerfEvtSel{n}", "value": "0x0"} for n in range(COUNTERS)]
        for number, event in zip(free, events):
            interrupt = event["attrs"].get("intr", request["sampling"])
            registers[number]["value"] = f"{self.word(event, interrupt):#x}"
            if tool.always_interrupts and not interrupt:
                registers[number]["dont_care"] = f"{INTERRUPT:#x}"
        answer = {"registers": registers, "counters": [f"PerfCtr{n}" for n, _ in zip(free, events)]}
        if "period" in request and tool.start_value:
            if any(request["period"] < self.least.get(event["name"], 0) for event in events):
                unsupported("the period is below the least one of the event")
            answer["presets"] = [f"{tool.start_value(request['period']):#x}" for _ in events]
        return answer
