#!/usr/bin/env python3
"""Runs the example programs of the pfm device over traces.

  programs_test.py COUNT PROFILE DEVICE PMUSIM TRACES LINKED_COUNT LINKED_PROFILE CHECKS
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

COUNT, PROFILE, DEVICE, PMUSIM, TRACES, LINKED_COUNT, LINKED_PROFILE, CHECKS = sys.argv[1:9]


def run(*words, **variables):
    """Runs the program with the device preloaded, by a path from here: a blank ends a name in LD_PRELOAD."""
    return subprocess.run(words, capture_output=True, text=True, check=False,
                          env={**os.environ, "LD_PRELOAD": os.path.relpath(DEVICE), **variables})


def linked(*words, **variables):
    """Runs the program without a preloaded library."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(words, capture_output=True, text=True, check=False, env={**environment, **variables})


def counts(trace):
    """The counts of the same events by `pmusim run`, which does not use the device."""
    done = subprocess.run([PMUSIM, "run", "-t", "alpha-ev6", "--trace", trace, "--format", "json",
                           "-e", "PF6_MUX0_RET_INSTRUCTIONS,PF6_MUX1_CYCLES"],
                          capture_output=True, text=True, check=True)
    return [count["value"] for count in json.loads(done.stdout)["counts"]]


class Programs(unittest.TestCase):
    trace = os.path.join(TRACES, "alpha-listwalk.pmt")

    def test_counters_hold_what_a_run_counts(self):
        done = run(COUNT, PMUSIM_PFM_TRACE=self.trace)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([int(line.split()[-1]) for line in done.stdout.splitlines()], counts(self.trace))

    def test_bad_addresses_are_efault(self):
        done = run(CHECKS, "faults", PMUSIM_PFM_TARGET="alpha-ev4", PMUSIM_PFM_TRACE=self.trace)
        self.assertEqual(done.returncode, 0, done.stderr)
        refused, _, of = done.stdout.split()
        self.assertEqual(refused, of)

    def test_interrupts_are_enabled_of_selected_counters(self):
        done = run(CHECKS, "enable", PMUSIM_PFM_TRACE=self.trace, PMUSIM_PFM_CYCLES="10000")
        self.assertEqual(done.stdout, "0\n", done.stderr)

    def test_profiled_instructions_are_selected_uniformly(self):
        # A loop of three instructions, which no period of a fixed length samples alike: addq, addq, br.
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "loop.txt")
            with open(path, "w") as text:
                text.write("! isa alpha\n")
                text.write("120000000 03042240\n120000004 03042240\n120000008 fdffffc3 T 120000000\n" * 600000)
                text.write("120000000 03042240\n")
            done = run(CHECKS, "uniform", "3", PMUSIM_PFM_TARGET="alpha-ev67", PMUSIM_PFM_TRACE=path)
        self.assertEqual(done.returncode, 0, done.stderr)
        samples = [int(word) for word in done.stdout.split()]
        total = sum(samples)
        # A period is 32,768 to 98,304 of 1,800,001 instructions. Each has a third of the samples, within four standard
        # deviations.
        self.assertTrue(18 <= total <= 55, samples)
        for number in samples:
            self.assertLessEqual(abs(number - total / 3), 4 * math.sqrt(total * 2 / 9), samples)

    def test_threads_and_duplicates(self):
        for what in "threads", "copies":
            done = run(CHECKS, what, PMUSIM_PFM_TRACE=self.trace)
            self.assertEqual(done.stdout, "right\n", done.stderr)
            self.assertEqual(done.returncode, 0)

    def test_two_processors_are_added_up(self):
        done = run(COUNT, PMUSIM_PFM_TRACE=f"{self.trace}:{self.trace}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(int(done.stdout.split()[2]), 2 * counts(self.trace)[0])

    def test_a_slice_of_cycles_passes_before_each_call(self):
        done = run(COUNT, PMUSIM_PFM_TRACE=self.trace, PMUSIM_PFM_CYCLES="20000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(int(done.stdout.split()[2]), counts(self.trace)[0])

    def test_a_profile_has_its_ticks_in_the_code(self):
        done = run(PROFILE, "120000000", "120100000", PMUSIM_PFM_TARGET="alpha-ev5", PMUSIM_PFM_TRACE=self.trace)
        self.assertEqual(done.returncode, 0, done.stderr)
        *rows, last = done.stdout.splitlines()
        ticks, inside = int(last.split()[0]), int(last.split()[2])
        self.assertGreater(ticks, 0)
        self.assertEqual(inside, ticks)
        self.assertEqual(sum(int(row.split()[1]) for row in rows), ticks)

    def test_the_wrong_processor_refuses_its_calls(self):
        done = run(PROFILE, "120000000", "120100000", PMUSIM_PFM_TARGET="alpha-ev6", PMUSIM_PFM_TRACE=self.trace)
        self.assertEqual((done.returncode, done.stderr), (1, "PCNT5MUX: Invalid argument\n"))

    def test_without_a_trace_there_is_no_device(self):
        for variables, message in (({}, "PMUSIM_PFM_TRACE is not set"),
                                   ({"PMUSIM_PFM_TRACE": "absent.pmt"}, "absent.pmt: cannot be opened"),
                                   ({"PMUSIM_PFM_TARGET": "athlon"}, "PMUSIM_PFM_TARGET=athlon: expected an Alpha"),
                                   ({"PMUSIM_PFM_TRACE": self.trace, "PMUSIM_PFM_CYCLES": "x"}, "PMUSIM_PFM_CYCLES=x")):
            done = run(COUNT, **variables)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)
            self.assertTrue(done.stderr.endswith("/dev/pfcntr: No such device or address\n"), done.stderr)

    def test_linked_programs_need_nothing_before_them(self):
        done = linked(LINKED_COUNT, PMUSIM_PFM_TRACE=self.trace)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([int(line.split()[-1]) for line in done.stdout.splitlines()], counts(self.trace))
        words = ("120000000", "120100000")
        variables = {"PMUSIM_PFM_TARGET": "alpha-ev5", "PMUSIM_PFM_TRACE": self.trace}
        profile = linked(LINKED_PROFILE, *words, **variables)
        self.assertEqual(profile.returncode, 0, profile.stderr)
        self.assertEqual(profile.stdout, run(PROFILE, *words, **variables).stdout)

    def test_linked_programs_fail_as_the_others_do(self):
        for variables in ({}, {"PMUSIM_PFM_TRACE": "absent.pmt"}, {"PMUSIM_PFM_TARGET": "athlon"}):
            done, loaded = linked(LINKED_COUNT, **variables), run(COUNT, **variables)
            self.assertEqual((done.returncode, done.stderr), (loaded.returncode, loaded.stderr))
            self.assertEqual(done.returncode, 1)
        # Without the device there is no /dev/pfcntr, as on any machine.
        self.assertIn("/dev/pfcntr: No such file or directory", linked(COUNT).stderr)

    def test_other_files_are_the_systems(self):
        done = run("cat", __file__, PMUSIM_PFM_TRACE=self.trace)
        with open(__file__, encoding="utf-8") as file:
            self.assertEqual(done.stdout, file.read())


unittest.main(argv=sys.argv[:1])
