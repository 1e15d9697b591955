"""Encoders in Python: a right one passes, one wrong bit is detected, and a broken one is reported."""

import io
import json
import os
import subprocess
import sys
import unittest
from typing import Any

import pmusim
from common import COMMAND

QUICK: Any = dict(target="athlon", only="DATA_CACHE_REFILLS*,RETIRED_INSTRUCTIONS", quick=True, jobs=2)


class Changed:
    """This project's encoder with a change of its answers."""

    def __init__(self, change: Any = lambda answer: answer) -> None:
        self.own, self.change, self.asked = pmusim.OwnEncoder(), change, 0

    def encode(self, request: pmusim.Request) -> pmusim.Answer:
        self.asked += 1
        return self.change(self.own.encode(request))


def without_bit(bit: int) -> Any:
    def change(answer: pmusim.Answer) -> pmusim.Answer:
        answer.registers = [(name, value & ~bit) for name, value in answer.registers]
        return answer
    return change


class Encoders(unittest.TestCase):
    def test_a_right_one_passes(self) -> None:
        encoder = Changed()
        report = pmusim.validate(encoder=encoder, **QUICK)
        own = pmusim.validate(**QUICK)
        self.assertTrue(report.good and own.good)
        self.assertEqual(report.checks, own.checks)
        self.assertGreater(encoder.asked, 10)

    def test_a_wrong_bit_is_found_and_its_question_asks_again(self) -> None:
        wrong = Changed(without_bit(0x0200))  # unit mask bit 1: L2_SHARED
        report = pmusim.validate(encoder=wrong, **QUICK)
        self.assertFalse(report.good)
        first = report.mismatches[0]
        self.assertIn("DATA_CACHE_REFILLS", first["event"])
        self.assertIn("L2_SHARED", first["diagnosis"])
        again = pmusim.validate("athlon", encoder=wrong, question=first["question"], quick=True)
        self.assertEqual([detail["event"] for detail in again.mismatches], [first["event"]])

    def test_what_it_does_not_know_is_no_mismatch(self) -> None:
        class Unknown:
            def encode(self, request: pmusim.Request) -> pmusim.Answer:
                if request["events"][0]["name"] != "RETIRED_INSTRUCTIONS":
                    raise pmusim.Unsupported("no such event")
                return pmusim.OwnEncoder().encode(request)
        report = pmusim.validate(encoder=Unknown(), **QUICK)
        self.assertTrue(report.good)
        self.assertTrue(all(row.startswith("DATA_CACHE_REFILLS") for row in report.targets[0]["unknown"]))
        with self.assertWarnsRegex(UserWarning, "knows 1 of 13 events"):
            verdict = pmusim.validate(encoder=Unknown(), require_coverage=90, **QUICK)
        self.assertFalse(verdict.good)

    def test_its_own_exception_comes_through(self) -> None:
        def fail(answer: pmusim.Answer) -> pmusim.Answer:
            raise ZeroDivisionError("in the encoder")
        with self.assertRaisesRegex(ZeroDivisionError, "in the encoder"):
            pmusim.validate(encoder=Changed(fail), **QUICK)

    def test_an_answer_that_is_none_is_told(self) -> None:
        answers = {
            "target athlon has no register 'PerfEvtSel9'": pmusim.Answer({"PerfEvtSel9": 0}, ["PerfCtr0"]),
            "wider than its": pmusim.Answer({"PerfCtr0": 2**50}, ["PerfCtr0"]),
            "names 0 counters for 1 events": pmusim.Answer({}, []),
            "returns NoneType for request 1, not pmusim.Answer": None,
            "value -1 of PerfEvtSel0 is negative": pmusim.Answer({"PerfEvtSel0": -1}, ["PerfCtr0"]),
        }
        for message, answer in answers.items():
            with self.assertRaisesRegex(pmusim.Error, message):
                pmusim.validate(encoder=Changed(lambda _, given=answer: given), **QUICK)

    def test_the_same_class_speaks_the_protocol(self) -> None:
        request = {"v": 1, "id": 7, "target": "athlon", "qualifiers": {}, "sampling": False,
                   "events": [{"name": "RETIRED_INSTRUCTIONS", "umasks": [], "attrs": {}}]}
        out = io.StringIO()
        pmusim.serve(pmusim.OwnEncoder(), io.StringIO(json.dumps(request) + "\n{\n"), out)
        first, second = [json.loads(line) for line in out.getvalue().splitlines()]
        self.assertEqual((first["id"], first["counters"]), (7, ["PerfCtr0"]))
        self.assertEqual(second, {"id": None, "error": "invalid"})

    def test_served_it_conforms(self) -> None:
        program = f"{sys.executable} -c 'import pmusim; pmusim.serve(pmusim.OwnEncoder())'"
        done = subprocess.run([COMMAND, "validate", "-t", "athlon", "--encoder", program, "--conformance"],
                              capture_output=True, text=True, check=False, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_streams_are_given_back(self) -> None:
        with self.assertRaises(pmusim.Error):
            pmusim.events("athlom")
        self.assertEqual(len(pmusim.targets()), len(pmusim.targets()))


if __name__ == "__main__":
    unittest.main()
