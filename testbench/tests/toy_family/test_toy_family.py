#!/usr/bin/env python3
"""A family that is added with a folder and a row must be a target like the others.

    test_toy_family.py PMUSIM_WITH_TOY PMUSIM TRACE

TRACE has 1, 2, 4 and 8 instructions at the levels 3, 0, 1 and 2.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

toy, plain, trace = sys.argv[1:4]


def run(*arguments, program=None, code=0):
    done = subprocess.run([program or toy, *arguments], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}, not {code}: {arguments}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def rows(*arguments):
    return [json.loads(line) for line in run(*arguments, "--format", "json").splitlines()]


def counts(*arguments):
    return [count["value"] for count in rows("run", "-t", "toy", "--trace", trace, *arguments)[0]["counts"]]


class ToyFamily(unittest.TestCase):
    def test_it_is_listed_beside_the_others(self):
        own = [row["target"] for row in rows("targets")]
        others = [json.loads(line)["target"] for line in run("targets", "--format", "json", program=plain).splitlines()]
        self.assertEqual(own, others + ["toy"])

    def test_only_this_program_has_it(self):
        self.assertIn("toy", run("targets", "-t", "toy", program=plain, code=2))

    def test_names_become_bits(self):
        self.assertIn("0x0205", run("encode", "-t", "toy", "-e", "TOY_RETIRED:u:t=2"))
        self.assertIn("THRESHOLD", run("decode", "-t", "toy", "Select0=0x0205"))
        self.assertIn("0 to 15", run("encode", "-t", "toy", "-e", "TOY_RETIRED:t=16", code=2))

    def test_it_counts(self):
        self.assertEqual(counts("-e", "TOY_RETIRED", "-e", "TOY_RETIRED:u"), [1 + 2 + 4 + 8, 1 + 4 + 8])
        self.assertEqual(counts("--write", "Select0=5"), [13])

    def test_it_samples(self):
        """Every hundredth of 350 instructions interrupts: the program ends before the fourth interrupt."""
        with tempfile.TemporaryDirectory() as folder:
            long = pathlib.Path(folder) / "nops.txt"
            long.write_text("! isa i386\n" + "".join(f"{0x8048000 + i:x} 90\n" for i in range(350)))
            samples = rows("record", "-t", "toy", "--trace", str(long), "-e", "TOY_RETIRED", "--period", "100",
                           "--no-randomize")
        self.assertEqual(len(samples), 3)

    def test_it_is_validated(self):
        verdict = rows("validate", "-t", "toy", "--quick", "--trace", trace)[0]
        self.assertEqual((verdict["target"], verdict["mismatches"], verdict["unexercised"]), ("toy", 0, []))
        self.assertGreaterEqual(verdict["checks"], 4)

    def test_its_facts_are_shown(self):
        page = run("events", "-t", "toy", "TOY_CLOCKS")
        self.assertIn("cycles per instruction", page)


unittest.main(argv=sys.argv[:1])
