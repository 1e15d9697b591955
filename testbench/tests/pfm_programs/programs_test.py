#!/usr/bin/env python3
"""Runs the example programs of the pfm device over traces.

  programs_test.py COUNT PROFILE DEVICE PMUSIM TRACES LINKED_COUNT LINKED_PROFILE
"""
import json
import os
import subprocess
import sys
import unittest

COUNT, PROFILE, DEVICE, PMUSIM, TRACES, LINKED_COUNT, LINKED_PROFILE = sys.argv[1:8]


def run(*words, **variables):
    return subprocess.run(words, capture_output=True, text=True, check=False,
                          env={**os.environ, "LD_PRELOAD": DEVICE, **variables})


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
