#!/usr/bin/env python3
"""An event that is added by rows in four files must be an event like the others.

    test_toy_event.py PMUSIM_WITH_EVENT PMUSIM PATCH TRACE

TRACE has near calls (opcode e8), each of which pushes a return address.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

own, plain, patch, trace = sys.argv[1:5]


def run(*arguments, program=own, code=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}, not {code}: {arguments}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class ToyEvent(unittest.TestCase):
    def test_four_files_and_a_row_in_each(self):
        text = pathlib.Path(patch).read_text()
        self.assertEqual(re.findall(r"^\+\+\+ b/(\S+)", text, re.MULTILINE),
                         ["encoder/src/athlon/events.cpp", "models/athlon/events.cpp",
                          "testbench/oracle/events_athlon.cpp", "testbench/targets/athlon/events.cpp"])
        self.assertEqual(len(re.findall(r"^\+[^+]", text, re.MULTILINE)), 4)
        self.assertEqual(re.findall(r"^-[^-].*", text, re.MULTILINE), [])

    def test_only_this_program_has_it(self):
        self.assertIn("0x8a", run("events", "-t", "athlon", "TOY_PUSHES").lower())
        self.assertIn("TOY_PUSHES", run("encode", "-t", "athlon", "-e", "TOY_PUSHES", program=plain, code=2))

    def test_it_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder, "trace.txt")
            run("trace", "export", trace, "-o", str(text), program=plain)
            calls = len(re.findall(r"^[0-9a-f]+ e8", text.read_text(), re.MULTILINE))
        self.assertGreater(calls, 0)
        row = json.loads(run("run", "-t", "athlon", "--trace", trace, "-e", "TOY_PUSHES", "--format", "json"))
        self.assertEqual([count["value"] for count in row["counts"]], [calls])

    def validated(self, *arguments):
        return json.loads(run("validate", "-t", "athlon", "--quick", "--only", "TOY_PUSHES", *arguments, "--format", "json"))

    def test_its_row_is_validated_on_a_trace(self):
        """At all levels, for users and for the kernel."""
        row = self.validated("--trace", trace)
        self.assertEqual((row["checks"], row["mismatches"], row["unexercised"]), (3, 0, []))

    def test_questions_about_it_are_answered(self):
        """Among others one for each of the four counters."""
        row = self.validated()
        self.assertEqual((row["mismatches"], row["unexercised"]), (0, []))
        self.assertGreaterEqual(row["checks"], 4)


unittest.main(argv=sys.argv[:1])
