"""Columns of traces and activity, compared with the text of the trace and with the counts of a run."""

import re
import tempfile
import unittest
from pathlib import Path

import numpy as np
import pmusim
from common import RECORDED, SOURCE, micro, printed
from values_test import trace_file


class Arrays(unittest.TestCase):
    def test_a_trace_is_what_dump_prints(self) -> None:
        for file in micro("ppc750gx"):
            trace, lines = pmusim.Trace(file), [row for row in printed("trace", "dump", str(file)) if "pc" in row]
            self.assertEqual(len(trace), len(lines), file)
            self.assertEqual(trace.pc.tolist(), [int(row["pc"], 16) for row in lines])
            taken = [int(row["target"], 16) if "target" in row else 0 for row in lines]
            self.assertEqual(trace.target.tolist(), taken)
            self.assertEqual(trace.taken.tolist(), [bool(target) for target in taken])
            accesses = [(int(access["address"], 16), number, access["size"], access["kind"] == "store")
                        for number, row in enumerate(lines) for access in row["accesses"]]
            columns = ("address", "instruction", "size", "store")
            self.assertEqual([tuple(row[name] for name in columns) for row in trace.accesses], accesses)
            self.assertTrue((trace.codes["pc"][trace.code] == trace.pc).all())

    def test_columns_are_views_that_outlive_the_trace(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            trace = pmusim.Trace(trace_file(folder))
            pc, same = trace.pc, trace.pc
            self.assertEqual(pc.__array_interface__["data"], same.__array_interface__["data"])
            self.assertFalse(pc.flags.owndata or pc.flags.writeable)
            with self.assertRaises(ValueError):
                pc[0] = 0
            self.assertEqual(trace.taken.base.base is not None, True)
            del trace, same
            self.assertEqual(pc[-2], 0x8048002)

    def test_iterations_of_a_repeated_instruction_have_one_number(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "rep.txt")
            Path(file).write_text("! isa i386\n1000 90\n1001 f3a4 L 2000 1 S 3000 1 T 1001\n"
                                  "1001 f3a4 L 2001 1 S 3001 1\n1003 90\n", encoding="ascii")
            trace = pmusim.Trace(file)
            self.assertEqual((len(trace), trace.instructions, trace.unit), (4, 3, "instructions"))
            self.assertEqual(trace.number.tolist(), [0, 1, 1, 2])
            self.assertEqual(trace.accesses["instruction"].tolist(), [1, 1, 2, 2])
            self.assertEqual(pmusim.run("athlon", file, "RETIRED_INSTRUCTIONS")["instructions"], trace.instructions)
            self.assertEqual(repr(trace), f"<pmusim.Trace: 3 i386 instructions of {file}>")

    def test_bundles_have_masks(self) -> None:
        trace = pmusim.Trace(RECORDED / "ia64-pipelined.pmt")
        self.assertEqual(trace.isa, "ia64")
        self.assertRegex(b" ".join(np.unique(trace.mask)).decode(), r"^[xp -]+$")
        self.assertEqual(len(trace.mask), len(trace))

    def test_activity_retires_the_trace(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = trace_file(folder)
            ips, end, last = [], 0, None
            for block in pmusim.activity("athlon", file, cycles=7):
                self.assertEqual(block.begin, end)
                end, last = block.end, block
                ips += block.instructions["ip"][block["retire"]["ref"]].tolist()
            self.assertEqual(ips, pmusim.Trace(file).pc.tolist())
            self.assertEqual(last.initial("clock"), 1)
            self.assertEqual(last.changes("clock").tolist(), [])
            self.assertEqual(last["retire"].dtype.names, ("at", "ref", "amount", "detail"))
            with self.assertRaisesRegex(KeyError, "no signal 'retires'"):
                last["retires"]

    def test_activity_takes_the_cycles_of_a_run(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = trace_file(folder)
            block = list(pmusim.activity("athlon", file, parameters={"core.retire_width": 1}))[-1]
            cycles = pmusim.run("athlon", file, "RETIRED_INSTRUCTIONS", parameters={"core.retire_width": 1})["cycles"]
            self.assertEqual(block.end, cycles)

    def test_names_are_those_of_the_header(self) -> None:
        header = (SOURCE / "models" / "activity" / "signals.h").read_text()
        for name, known in (("Signal", pmusim.signals()), ("State", pmusim.states())):
            body = re.search(r"enum class %s : std::uint8_t \{(.*?)\n\};" % name, header, re.S).group(1)
            listed = [word.strip() for word in re.sub(r"//.*", "", body).split(",")]
            self.assertEqual(known + ["count_"], listed)


if __name__ == "__main__":
    unittest.main()
