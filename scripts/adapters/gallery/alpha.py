"""Encoders of the Alphas: calls of WRPERFMON, as the drivers make them."""
from rows import read
from protocol import free_counters, invalid, unsupported

PERIOD = 1 << 20  # the driver's, where the request has none
FREQUENCY_OFF, FREQUENCY_LONG, FREQUENCY_256 = 1, 2, 3  # 21164: two bits for each counter


def signed(value):
    """A word of 32 bits, extended by its sign to the 64 of a register."""
    value &= 0xFFFFFFFF
    return value | 0xFFFFFFFF00000000 if value >> 31 else value


class Encoder:
    """Places events on the counters of the tool's table and makes the calls in the driver's order."""
    target = ""
    prefix = "CTR"
    counters = 2
    attributes = set()

    def __init__(self, table, _arithmetic):
        self.rows = {}
        for row in read(table):
            allowed = [int(n) for n in row.get("counters", row.get("counter")).split()]
            if not allowed:
                continue  # the tool's table has no counter for it
            # One event of the tool may be two, one on each counter, which differ by their names here.
            own = int(row.get("event_counter") or allowed[0])
            self.rows[row["event"]] = (self.number(row), [own] if own in allowed else allowed)

    def number(self, row):
        return int(row["number"])

    def place(self, events, free):
        for event in events:
            if "raw" in event or event["name"] not in self.rows:
                unsupported(f"no event {event.get('raw', event['name'])}")
            for name in sorted(set(event["attrs"]) - self.attributes):
                unsupported(f"no attribute {name}")
        places = {}
        for event in events:
            number, allowed = self.rows[event["name"]]
            usable = [n for n in allowed if n in free and n not in places]
            if not usable:
                invalid(f"no free counter has {event['name']}")
            places[usable[0]] = (number, event)
        return places

    def count(self, request, event):
        """Events until an overflow."""
        return request.get("period") or event["attrs"].get("freq") or PERIOD

    def encode(self, request):
        events, free = request["events"], free_counters(request, self.counters)
        if len(events) > len(free):
            invalid("more events than counters")
        places = self.place(events, free)
        calls = self.calls(request, places)
        calls.append(("ENABLE", sum(1 << n for n in places)))
        answer = {"registers": [{"name": f"WRPERFMON_{name}", "value": f"{value:#x}"} for name, value in calls],
                  "counters": [f"{self.prefix}{n}" for event in events for n in places if places[n][1] is event]}
        if "period" in request:
            self.add_start_values(request, places, answer)
        return answer

    def add_start_values(self, request, places, answer):
        answer["presets"] = [f"{self.start_value(n, self.count(request, event)):#x}"
                             for e in request["events"] for n, (_, event) in places.items() if event is e]


class Ev4(Encoder):
    attributes = {"freq"}
    unused = (14, 7)  # the external pins

    def calls(self, request, places):
        select = places[0][0] << 8 if 0 in places else self.unused[0] << 8
        select |= ((places[1][0] - 16) if 1 in places else self.unused[1]) << 32
        for n, bit, limit in ((0, 1 << 3, 4096), (1, 1 << 0, 256)):
            if n in places and self.count(request, places[n][1]) <= limit:
                select |= bit
        return [("OPTIONS", 0), ("SELECT", select)]

    def add_start_values(self, request, places, answer):
        pass  # these counters cannot be written


class Ev5(Encoder):
    counters = 3
    attributes = {"u", "k", "pal", "es", "freq", "intr"}
    tops = (1 << 16, 1 << 16, 1 << 14)
    enough = 256

    def select(self, place, number):
        if place == 2:
            number = {0: 60, 43: 69}.get(number, number)
        if number < 2:
            return number << 31
        if number < 24:
            return 0
        if number < 40:
            return (number - 24) << 4
        if number < 48:
            return (number - 40) << 19 | 15 << 4
        if number < 64:
            return number - 48
        return (number - 64) << 22 | 15

    def options(self, events):
        levels = {name: value for event in events for name, value in event["attrs"].items() if name in ("u", "k", "pal", "es")}
        if any(event["attrs"].get(name, 0) != value for event in events for name, value in levels.items()):
            invalid("one choice of modes for all events")
        if not levels:
            return 0
        user = levels.get("u") or levels.get("es")
        return (0 if levels.get("pal") else 1 << 9) | (0 if levels.get("k") else 1 << 8) | (0 if user else 1 << 30)

    def calls(self, request, places):
        select, frequency = 0, 0
        for n, (number, event) in places.items():
            select |= self.select(n, number)
            wanted = event["attrs"].get("intr", request["sampling"])
            fast = self.count(request, event) <= self.enough
            frequency |= (FREQUENCY_256 if fast else FREQUENCY_LONG if wanted else FREQUENCY_OFF) << (8 - 2 * n)
        options = self.options([event for _, event in places.values()])
        return [("OPTIONS", options), ("SELECT", signed(select)), ("FREQUENCY", frequency)]

    def start_value(self, n, count):
        """Counters 0 and 1 stand above bit 31, which the driver's 32 bits do not reach."""
        top = self.enough if count <= self.enough else self.tops[n]
        count = min(count, top)
        word = signed((top - count) << (48 - 16 * n)) if n == 2 else 0
        return word >> (48 - 16 * n) & (self.tops[n] - 1)


class Ev6(Encoder):
    prefix = "PCTR"

    def calls(self, request, places):
        first = places[0][0] & 1 if 0 in places else 0
        second = (places[1][0] - 2) & 15 if 1 in places else 0
        return [("OPTIONS", 0), ("SELECT", first << 4 | second)]

    def start_value(self, n, count):
        return (PERIOD - min(count, PERIOD)) % PERIOD


class Ev6Writes(Ev6):
    """The driver's own form: it writes both counters' start values by WRPERFMON_WRITE, also for a plain count."""

    def calls(self, request, places):
        value = 3
        for n, shift in ((0, 28), (1, 6)):
            count = self.count(request, places[n][1]) if n in places else PERIOD
            value |= self.start_value(n, count) << shift
        return [*super().calls(request, places), ("WRITE", value)]

    def add_start_values(self, request, places, answer):
        pass


class Perf67(Encoder):
    """Linux perf on the 21264A: four events; cycles alone are on PCTR1."""
    prefix = "PCTR"
    least = (16, 4)

    def number(self, row):
        return int(row["config"], 0)

    def place(self, events, free):
        names = {event["name"] for event in events}
        if len(names) > 1 and names != {"RETINST", "CYCLES1"}:
            unsupported("one event, or instructions and cycles")
        if "CYCLES0" in names:
            unsupported("cycles are on PCTR1")
        return super().place(events, free)

    def calls(self, request, places):
        select = 0
        for number, _ in places.values():
            select |= number
        return [("OPTIONS", 0), ("SELECT", select)]

    def start_value(self, n, count):
        return -min(max(count, self.least[n]), PERIOD - 1) % PERIOD


ENCODERS = {("oprofile", "alpha-ev4"): Ev4, ("driver", "alpha-ev4"): Ev4, ("oprofile", "alpha-ev5"): Ev5,
            ("driver", "alpha-ev5"): Ev5, ("oprofile", "alpha-ev6"): Ev6, ("driver", "alpha-ev6"): Ev6,
            ("driver-writes", "alpha-ev6"): Ev6Writes, ("linux-perf", "alpha-ev67"): Perf67}
