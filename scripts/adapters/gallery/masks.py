"""Linux 2.6's perfmon: another encoder's values, of which the kernel takes the writable bits only."""
import json
import subprocess

from rows import read
from protocol import Refusal, unsupported

FIRST_ENABLE = 1 << 23  # PMC4 of the Itanium 2
# The registers of a data range's levels and of code ranges, which the kernel refuses in one combination.
RANGES = {"itanium2": {"data": 13, "code": 8, "code bit": 0, "pairs": 14},
          "montecito": {"data": 41, "code": 32, "code bit": 57, "pairs": 38}}


class Encoder:
    def __init__(self, table, target, command):
        self.target = target
        self.masks = {int(row["pmc"]): (int(row["default"], 0), int(row["writable"], 0)) for row in read(table)}
        self.process = subprocess.Popen([command, "encode", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def merged(self, number, value):
        if number not in self.masks:
            return value
        default, writable = self.masks[number]
        value = value & writable | default & ~writable
        return value | FIRST_ENABLE if self.target == "itanium2" and number == 4 else value

    def refuse_ranges(self, values):
        place = RANGES[self.target]
        data, code, pairs = (values.get(n, self.masks[n][0]) for n in (place["data"], place["code"], place["pairs"]))
        no_data, no_code = data >> 45 & 15 == 0, code >> place["code bit"] & 1 == 0
        if no_data and no_code and (pairs >> 1 & 3 in (0, 2) or pairs >> 4 & 3 in (0, 2)):
            unsupported("the kernel refuses data and code ranges in one session")

    def encode(self, request):
        print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise Refusal(answer["error"], answer.get("message", ""))
        values = {}
        for register in answer["registers"]:
            if not register["name"].startswith("PMC"):
                continue
            number = int(register["name"][3:])
            values[number] = self.merged(number, int(register["value"], 0))
            register["value"] = f"{values[number]:#x}"
        self.refuse_ranges(values)
        return {name: answer[name] for name in ("registers", "counters", "presets") if name in answer}
