#!/usr/bin/env python3
"""Runs the virtual platform, and compares counts, times of interrupts and the handler's records with values computed by
hand from software.s and the platform's latencies (a cycle of the bus, a cycle of the memory).

  platform_test.py PLATFORM
"""
import os
import subprocess
import sys
import unittest

PLATFORM = sys.argv[1]

USER = {"athlon": "RETIRED_INSTRUCTIONS:u", "ppc750gx": "INSTRUCTIONS_COMPLETED:u", "ppc750gl": "INSTRUCTIONS_COMPLETED:u",
        "itanium2": "IA64_INST_RETIRED:u", "montecito": "IA64_INST_RETIRED:u"}
# These chips cannot distinguish Tru64's user mode from others: their events count all instructions.
ALL = {"alpha-ev5": "PF5_MUX0_ISSUES", "alpha-pca56": "PF5_MUX0_ISSUES", "alpha-ev6": "PF6_MUX0_RET_INSTRUCTIONS",
       "alpha-ev67": "RETINST"}
NARROW = {"ppc750gx", "ppc750gl"}  # registers of 32 bits
# Cycles from that of an overflow to that in which the line rises: the next, and the parameter pmu.request_delay.
REQUEST = {"athlon": 2}


class Run:
    def __init__(self, *words, **options):
        words = [PLATFORM, *words]
        for name, value in options.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"})
        self.status, self.error = done.returncode, done.stderr
        self.starts, self.requests, self.entries, self.counters = [], [], [], []
        self.retired = self.interrupts = self.end = None
        for line in done.stdout.splitlines():
            kind, *rest = line.split()
            if kind == "start":
                self.starts.append(rest[0])
            elif kind == "request":
                self.requests.append(nanoseconds(rest))
            elif kind == "interrupt":
                self.entries.append((int(rest[1], 16), *map(int, rest[2:])))
            elif kind == "counter":
                self.counters.append(int(rest[1]))
            elif kind == "end":
                self.end = nanoseconds(rest)
            else:
                setattr(self, kind, int(rest[0]))


def nanoseconds(words):
    return int(words[0]) * {"ps": 0.001, "ns": 1, "us": 1000}[words[1]]


# Cycles: one for each instruction, two more for a memory access, one more for a device access.
def row(target, bus):
    """Instructions and cycles of write_rows for one register."""
    if bus == 8:
        return 9, 9 + 3 * 2 + 1
    if target in NARROW:
        return 10, 10 + 3 * 2 + 1
    return 13, 13 + 3 * 2 + 2


def wide(target, register):
    return not (target in NARROW or target == "athlon" and (register == "LVTPC" or register.startswith("PerfEvtSel")))


def rows(target, run, bus):
    """Instructions and cycles of write_rows over the start table, with the caller's bsr."""
    total = [1 + 3, 1 + 3 + 2]
    for register in run.starts:
        kind = row(target if wide(target, register) else "ppc750gx", bus)
        total[0] += kind[0]
        total[1] += kind[1]
    return total


def before_program(target, run, bus):
    """Cycles from reset to the program: br; lda lda stq stq; ldah lda stl; lda, rows; lda lda stq lda stq rti."""
    return 1 + (1 + 1 + 3 + 3) + (1 + 1 + 2) + 1 + rows(target, run, bus)[1] + (1 + 1 + 3 + 1 + 3 + 1 + 2 * 2)


def retires(number):
    """The cycle of the uninterrupted program in which its instruction of this number (from 1) retires."""
    if number == 1:
        return 2  # ldq: in its third cycle
    turn, place = divmod(number - 2, 5)
    return 3 + 9 * turn + (2, 3, 6, 7, 8)[place]  # ldq addq stq subq bne


class Counts(unittest.TestCase):
    def test_a_loop_has_five_instructions_a_turn(self):
        for target, event in USER.items():
            for turns in (1, 250):
                for timing in ("loose", "cycle"):
                    run = Run(target=target, event=event, turns=turns, timing=timing)
                    self.assertEqual((run.status, run.counters, run.interrupts), (0, [2 + 5 * turns], 0), (target, run.error))

    def test_in_all_modes_the_driver_counts_too(self):
        # After the store of the last row: stq br, ldq beq ret, lda lda stq lda stq rti; the program; lda bsr, lda ldq
        # beq ldq lda cmpeq bne, and then the counter is read.
        for target, event in ALL.items():
            run = Run(target=target, event=event, turns=100)
            self.assertEqual(run.counters, [2 + 3 + 6 + 502 + 2 + 7], target)

    def test_detail_decides_what_counts(self):
        for detail, accesses in (("counts", 0), ("instructions", 0), ("accesses", 2 * 100 + 1)):
            run = Run("--event", "RETIRED_INSTRUCTIONS:u", "--event", "DATA_CACHE_ACCESSES:u", turns=100, detail=detail)
            self.assertEqual(run.counters, [502, accesses], detail)
        for detail, branches in (("counts", 0), ("instructions", 100), ("accesses", 100)):
            run = Run(event="RETIRED_BRANCH_INSTRUCTIONS:u", turns=100, detail=detail)
            self.assertEqual(run.counters, [branches], detail)

    def test_transfers_of_four_bytes_make_the_same_counters(self):
        for target, event in {**USER, **ALL}.items():
            eight, four = (Run(target=target, event=event, turns=50, bus=bus) for bus in (8, 4))
            self.assertEqual(four.status, 0, four.error)
            if target in USER:
                self.assertEqual(four.counters, eight.counters, target)
            self.assertNotEqual(four.end, eight.end)

    def test_how_far_the_core_runs_ahead_changes_no_count(self):
        for quantum in (1, 7, 5000):
            run = Run(turns=300, quantum=quantum)
            self.assertEqual((run.counters, run.end), ([1502], Run(turns=300, timing="cycle").end))


class Interrupts(unittest.TestCase):
    period, turns = 100, 100

    def test_the_wire_rises_when_the_counter_has_overflowed(self):
        for target, event in USER.items():
            for bus in (8, 4):
                for timing in ("loose", "cycle"):
                    run = Run(target=target, event=event, turns=self.turns, period=self.period, timing=timing, bus=bus)
                    expected = before_program(target, run, bus) + retires(self.period) + REQUEST.get(target, 1)
                    self.assertEqual(run.requests[0], expected, (target, bus, timing))

    def test_the_handler_lets_the_next_period_begin(self):
        """Cycle accurate: the core samples the wire one instruction after it rises. So a period takes `period`
        instructions of the program and those until the entry, which the handler's new start value discards."""
        for target, event in USER.items():
            run = Run(target=target, event=event, turns=self.turns, period=self.period, timing="cycle")
            done, expected = 0, []
            while True:
                request = done + self.period
                if request > 2 + 5 * self.turns:
                    break
                # The line rises in cycle `up`. A core that samples it at the next boundary is interrupted before the
                # first instruction that begins later.
                up = retires(request) + REQUEST.get(target, 1)
                entered = request
                while entered < 2 + 5 * self.turns and retires(entered) + 1 <= up:
                    entered += 1
                done = entered
                expected.append(self.address(entered + 1))
            if expected and done >= 2 + 5 * self.turns:
                expected.pop()
            self.assertEqual([entry[0] for entry in run.entries], expected, target)
            self.assertEqual(run.interrupts, len(expected))
            self.assertEqual(len(run.requests), len(expected))

    @staticmethod
    def address(number):
        """Address of the program's instruction of this number."""
        return 0x400 if number == 1 else 0x418 if number == 502 else 0x404 + 4 * ((number - 2) % 5)

    def test_a_core_that_runs_ahead_is_interrupted_later(self):
        cycle, loose = (Run(turns=400, period=100, timing=timing) for timing in ("cycle", "loose"))
        self.assertEqual(loose.requests[0], cycle.requests[0])
        self.assertLess(loose.interrupts, cycle.interrupts)
        one = Run(turns=400, period=100, quantum=1)  # does not run ahead: equal to the cycle
        self.assertEqual((one.requests, one.entries, one.end), (cycle.requests, cycle.entries, cycle.end))

    def test_a_21064_ticks_every_4096_cycles(self):
        run = Run(target="alpha-ev4", event="PF_CYCLES:freq=4096", turns=1000, period=4096, timing="cycle")
        self.assertEqual(run.interrupts, 2)
        self.assertEqual(run.requests[1] - run.requests[0], 4096)

    def test_alphas_interrupt(self):
        for target, event in ALL.items():
            run = Run(target=target, event=event, turns=1000, period=1000, timing="cycle")
            self.assertEqual(len(run.requests), run.interrupts, target)
            self.assertGreaterEqual(run.interrupts, 5002 // (1000 + 10))


class Reset(unittest.TestCase):
    def test_after_reset_everything_is_as_at_the_start(self):
        for target, event in USER.items():
            for timing in ("loose", "cycle"):
                plain = Run(target=target, event=event, turns=100, period=100, timing=timing, quantum=50)
                again = Run(target=target, event=event, turns=100, period=100, timing=timing, quantum=50, reset_at=700)
                before = [time for time in again.requests if time <= 700]
                self.assertEqual(again.counters, plain.counters, target)
                self.assertEqual(again.entries, plain.entries, target)
                self.assertEqual(again.interrupts, plain.interrupts)
                after = again.requests[len(before):]
                shift = after[0] - plain.requests[0]
                self.assertTrue(1000 <= shift - 700 <= 1050, shift)
                self.assertEqual([time - shift for time in after], plain.requests)


class Wrong(unittest.TestCase):
    def test_says_what_would_be_right(self):
        for words, message in ((["--target", "z80"], "unknown target 'z80'"),
                               (["--event", "NONE"], "NONE"),
                               (["--turns", "x"], "--turns x: expected a number"),
                               (["--turns", "0"], "--turns 0: expected at least one turn of the loop"),
                               (["--bus", "2"], "--bus 2: expected one of 4, 8"),
                               (["--timing"], "--timing has no value"),
                               (["--colour", "1"], "unknown option '--colour'")):
            run = Run(*words)
            self.assertEqual(run.status, 2, words)
            self.assertIn(message, run.error)
            self.assertEqual(run.error.count("\n"), 1)


unittest.main(argv=sys.argv[:1])
