"""Encoders of the PowerPC 750: MMCR0 and MMCR1, as IBM's 750GX user's manual, chapter 11 defines them."""
from rows import read
from protocol import free_counters, invalid, unsupported

COUNTERS = 4
NOT_KERNEL, NOT_USER, NOT_MARKED, NOT_UNMARKED, ENABLE_INTERRUPT = (1 << bit for bit in (30, 29, 28, 27, 26))
DISABLE, STOP_AT_INTERRUPT = 1 << 31, 1 << 25
BIT_OF_TIME_BASE, THRESHOLD = 23, 16
FIRST_INTERRUPTS, OTHERS_INTERRUPT = 1 << 15, 1 << 14
RUN_ATTRIBUTES = {"u", "k", "marked", "unmarked", "t", "tb"}


def run_settings(events):
    """Attributes of the whole run; two events that differ in one are refused."""
    settings = {}
    for pair in (("u", "k"), ("marked", "unmarked")):
        if len({tuple(event["attrs"].get(name) for name in pair) for event in events}) > 1:
            invalid(f"one choice of {pair[0]} and {pair[1]} for all events")
    for event in events:
        for name, value in event["attrs"].items():
            if name in RUN_ATTRIBUTES and settings.setdefault(name, value) != value:
                invalid(f"one {name} for all events")
    return settings


def filters(settings):
    value = 0
    if "k" in settings or "u" in settings:
        value |= (0 if settings.get("k") else NOT_KERNEL) | (0 if settings.get("u") else NOT_USER)
    if "marked" in settings or "unmarked" in settings:
        value |= (0 if settings.get("marked") else NOT_MARKED) | (0 if settings.get("unmarked") else NOT_UNMARKED)
    return value


class Encoder:
    """perfctr: all of the processor's settings."""
    attributes = RUN_ATTRIBUTES | {"intr"}

    def __init__(self, table, _arithmetic):
        self.selects = {}  # by event and counter
        for row in read(table):
            place = self.selects.setdefault(row["event"], {})
            place[int(row["counter"])] = (row["register"], int(row["field_value"], 0))

    def place(self, events, free):
        """The first free counter that has the event, for each."""
        for event in events:
            if "raw" in event or event["name"] not in self.selects:
                unsupported(f"no event {event.get('raw', event['name'])}")
            for name in sorted(set(event["attrs"]) - self.attributes):
                unsupported(f"no attribute {name}")
        places = []
        for event in events:
            usable = [n for n in sorted(self.selects[event["name"]]) if n in free and n not in places]
            if not usable:
                self.no_counter(event)
            places.append(usable[0])
        return places

    def no_counter(self, event):
        invalid(f"no free counter has {event['name']}")

    def selects_of(self, events, places):
        fields = {"MMCR0": 0, "MMCR1": 0}
        for event, place in zip(events, places):
            register, field = self.selects[event["name"]][place]
            fields[register] |= field
        return fields

    def control(self, request, places):
        """MMCR0 without its selects."""
        settings = run_settings(request["events"])
        if settings.get("t", 0) > 63 or settings.get("tb", 0) > 3:
            invalid("a threshold is at most 63, a bit of the time base at most 3")
        value = filters(settings) | settings.get("t", 0) << THRESHOLD | settings.get("tb", 0) << BIT_OF_TIME_BASE
        for event, place in zip(request["events"], places):
            if event["attrs"].get("intr", request["sampling"]):
                value |= ENABLE_INTERRUPT | (FIRST_INTERRUPTS if place == 1 else OTHERS_INTERRUPT)
        return value

    def start_value(self, period):
        if period > 1 << 31:
            unsupported("a period has 31 bits")
        return (1 << 31) - period

    def writes(self, request, fields, places):
        return [("MMCR1", fields["MMCR1"]), ("MMCR0", fields["MMCR0"] | self.control(request, places))]

    def encode(self, request):
        events = request["events"]
        free = [n + 1 for n in free_counters(request, COUNTERS)]
        if len(events) > len(free):
            invalid("more events than counters")
        places = self.place(events, free)
        fields = self.selects_of(events, places)
        writes = self.writes(request, fields, places)
        answer = {"registers": [{"name": name, "value": f"{value:#x}"} for name, value in writes],
                  "counters": [f"PMC{place}" for place in places]}
        if "period" in request:
            answer["presets"] = [f"{self.start_value(request['period']):#x}" for _ in events]
        return answer


class Constants(Encoder):
    """Linux' constants, as ppc_htab.c uses them: one counter for most events."""

    def no_counter(self, event):
        unsupported(f"no constant for {event['name']} on another counter")


class Sampler(Encoder):
    """Linux' op_model_7450.c: it samples only, unmarked code only, every counter interrupts, and interrupts stop all."""
    attributes = {"u", "k", "intr"}

    def writes(self, request, fields, places):
        settings = run_settings(request["events"])
        stopped = DISABLE | NOT_KERNEL | NOT_USER | NOT_MARKED | NOT_UNMARKED | fields["MMCR0"]
        levels = filters({name: settings[name] for name in ("u", "k") if name in settings})
        stopped = stopped & ~(NOT_KERNEL | NOT_USER) | levels
        started = stopped & ~(DISABLE | NOT_UNMARKED)
        started |= ENABLE_INTERRUPT | STOP_AT_INTERRUPT | FIRST_INTERRUPTS | OTHERS_INTERRUPT
        return [("MMCR0", stopped), ("MMCR1", fields["MMCR1"]), ("MMCR0", started)]

    def encode(self, request):
        policy = {"interrupts": True, "stops": True, "unmarked_only": True}
        return {**super().encode(request), "policy": policy}


ENCODERS = {"perfctr": Encoder, "constants": Constants, "op7450": Sampler}
