#!/usr/bin/env python3
"""A PMU attached to QEMU must count the instructions of a program whose counts are computed by hand. Needs qemu-user
and the binutils of Alpha and PowerPC.

  qemu_test.py PLUGIN
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PLUGIN = sys.argv[1]
TURNS = 5000
# 2 instructions, 4 per iteration (a load, a store, a branch), 3 to exit with status 7.
ALPHA = f"""
        .set noat
        .set noreorder
        .globl _start
_start: lda $1, {TURNS}($31)
        lda $3, -64($30)
1:      ldq $2, 0($3)
        stq $2, 0($3)
        subq $1, 1, $1
        bne $1, 1b
        lda $0, 1($31)
        lda $16, 7($31)
        call_pal 0x83
"""
PPC = f"""
        .globl _start
_start: li 4, {TURNS}
        addi 3, 1, -64
1:      lwz 5, 0(3)
        stw 5, 0(3)
        addic. 4, 4, -1
        bne 1b
        li 0, 1
        li 3, 7
        sc
"""
INSTRUCTIONS, ACCESSES = 2 + 4 * TURNS + 3, 2 * TURNS
TOOLS = ["qemu-alpha", "alpha-linux-gnu-as", "alpha-linux-gnu-ld", "qemu-ppc", "powerpc-linux-gnu-as", "powerpc-linux-gnu-ld"]


@unittest.skipIf("PMUSIM_REQUIRE_TOOLS" not in os.environ and not all(map(shutil.which, TOOLS)),
                 "scripts/install-dependencies --capture has the tools")
class Qemu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        for isa, prefix, source in (("alpha", "alpha-linux-gnu", ALPHA), ("ppc", "powerpc-linux-gnu", PPC)):
            path = os.path.join(cls.scratch.name, isa)
            with open(path + ".s", "w", encoding="utf-8") as file:
                file.write(source)
            subprocess.run([prefix + "-as", path + ".s", "-o", path + ".o"], check=True)
            subprocess.run([prefix + "-ld", path + ".o", "-o", path], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def count(self, isa, target, *events, **settings):
        out = os.path.join(self.scratch.name, "out")
        words = [PLUGIN, f"target={target}", f"out={out}", *(f"event={event}" for event in events),
                 *(f"{key}={value}" for key, value in settings.items())]
        done = subprocess.run(["qemu-" + isa, "-plugin", "file=" + ",".join(words),
                               os.path.join(self.scratch.name, isa)], capture_output=True, text=True, check=False,
                              env={**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "", ""))
        with open(out, encoding="utf-8") as file:
            rows = [line.split() for line in file]
        self.samples = {int(row[1], 16): int(row[2]) for row in rows if row[0] == "sample"}
        return [int(row[2]) for row in rows if row[0] == "counter"]

    def test_counts_of_two_instruction_sets_on_five_pmus(self):
        for isa, target, event in (("alpha", "alpha-ev6", "PF6_MUX0_RET_INSTRUCTIONS"),
                                   ("alpha", "athlon", "RETIRED_INSTRUCTIONS:u"),
                                   ("ppc", "ppc750gx", "INSTRUCTIONS_COMPLETED:u"),
                                   ("ppc", "itanium2", "IA64_INST_RETIRED:u"),
                                   ("alpha", "montecito", "IA64_INST_RETIRED:u")):
            self.assertEqual(self.count(isa, target, event), [INSTRUCTIONS], target)

    def test_detail_decides_what_counts(self):
        events = ("RETIRED_INSTRUCTIONS", "RETIRED_BRANCH_INSTRUCTIONS", "DATA_CACHE_ACCESSES", "DATA_CACHE_MISSES")
        for detail, expected in (("counts", [INSTRUCTIONS, 0, 0, 0]), ("instructions", [INSTRUCTIONS, TURNS, 0, 0]),
                                 ("accesses", [INSTRUCTIONS, TURNS, ACCESSES, 1])):
            self.assertEqual(self.count("alpha", "athlon", *events, detail=detail), expected, detail)

    def test_samples_lie_in_the_loop(self):
        self.count("alpha", "ppc750gx", "INSTRUCTIONS_COMPLETED", period=1000)
        # The 750GX takes the interrupt in the cycle of its request, and the handler starts the next period there.
        self.assertEqual(sum(self.samples.values()), INSTRUCTIONS // 1000)
        self.assertLessEqual(max(self.samples) - min(self.samples), 12)

    def test_wrong_arguments_end_the_emulator_with_a_sentence(self):
        for words, message in ((["event=NONE"], "NONE"), (["target=z80", "event=X"], "unknown target 'z80'"),
                               ([], "event=NAME is missing"), (["colour=1"], "unknown argument 'colour=1'")):
            done = subprocess.run(["qemu-alpha", "-plugin", ",".join(["file=" + PLUGIN, *words]),
                                   os.path.join(self.scratch.name, "alpha")], capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, 7)
            self.assertIn("pmusim-qemu-pmu: ", done.stderr)
            self.assertIn(message, done.stderr)


unittest.main(argv=sys.argv[:1])
