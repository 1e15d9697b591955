"""A PMU stepped by hand must hold the same values as after a run of the same trace."""

import random
import tempfile
import unittest

import pmusim
from common import micro
from values_test import trace_file


def registers_of_run(target: str, file: object, encoding: pmusim.Encoding) -> dict:
    result = pmusim.run(target, file, writes=encoding, registers=True)
    return {register["name"]: register["value"] for register in result["registers"]}


class Stepping(unittest.TestCase):
    def test_steps_of_any_length_end_where_a_run_ends(self) -> None:
        file = micro("ppc750gx")[0]
        encoding = pmusim.encode("ppc750gx", ["PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED"])
        expected = registers_of_run("ppc750gx", file, encoding)
        random.seed(1)
        for length in (lambda: 1, lambda: random.randrange(1, 40), lambda: 10**9):
            monitor = pmusim.Monitor("ppc750gx", file)
            monitor.program(encoding)
            while not monitor.ended:
                monitor.step(length())
            self.assertEqual(monitor.registers, expected)
            self.assertEqual(monitor.read("pmc1"), monitor.cycle)  # it counts from the first cycle on

    def test_an_alpha_is_programmed_by_calls_of_palcode(self) -> None:
        file = micro("alpha")[0]
        encoding = pmusim.encode("alpha-ev6", "PF6_MUX0_CYCLES")
        monitor = pmusim.Monitor("alpha-ev6", file)
        monitor.program(encoding)
        monitor.step(2**40)
        self.assertTrue(monitor.ended)
        self.assertEqual(monitor.registers, registers_of_run("alpha-ev6", file, encoding))

    def test_numbers_are_those_of_the_command(self) -> None:
        file = micro("athlon")[0]
        monitor = pmusim.Monitor("athlon", file)
        monitor.program({"PerfCtr0": -2})
        self.assertEqual(monitor.read("PerfCtr0"), 2**48 - 2)
        monitor.write("PerfCtr0", -1)
        self.assertEqual(monitor.read("PerfCtr0"), 2**48 - 1)
        with self.assertRaises(pmusim.Error):
            monitor.write("PerfCtr0", -2**48)
        decoded = pmusim.decode("athlon", {"PerfCtr0": -1})
        self.assertEqual(decoded["registers"][0]["value"], 2**48 - 1)
        run = pmusim.run("athlon", file, writes={"PerfEvtSel0": 0x4300c0, "PerfCtr0": -1}, registers=True)
        self.assertEqual(run["counts"][0]["counter"], "PerfCtr0")

    def test_objects_without_init_raise(self) -> None:
        for type_, use in ((pmusim.Trace, "pc"), (pmusim.Block, "begin"), (pmusim.Monitor, "cycle")):
            with self.assertRaises(TypeError):
                getattr(type_.__new__(type_), use)
        with self.assertRaises(TypeError):
            next(iter(pmusim._pmusim.Activity.__new__(pmusim._pmusim.Activity)))

    def test_an_interrupt_stops_a_step(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = trace_file(folder)
            monitor = pmusim.Monitor("athlon", file)
            monitor.write("LVTPC", 4 << 8)  # NMI, not masked
            monitor.write("PerfCtr0", 2**48 - 30)
            monitor.program(pmusim.encode("athlon", "RETIRED_INSTRUCTIONS", sampling=True))
            entry = monitor.step(10**6)
            self.assertIsNotNone(entry)
            self.assertEqual(monitor.cycle, entry["cycle"])
            self.assertGreaterEqual(entry["cycle"], entry["requested"])
            self.assertLess(monitor.read("PerfCtr0"), 20)  # it passed 0 some instructions ago
            self.assertIn(entry["ip"], (0x8048000, 0x8048002))
            self.assertFalse(monitor.ended)
            # The test's own handler: it resets the counter, and the next interrupt comes.
            monitor.write("PerfCtr0", 2**48 - 30)
            monitor.write("LVTPC", 4 << 8)
            self.assertIsNotNone(monitor.step(10**6))

    def test_each_counter_is_seen_in_each_cycle(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            monitor = pmusim.Monitor("athlon", trace_file(folder))
            monitor.program(pmusim.encode("athlon", "RETIRED_INSTRUCTIONS"))
            seen = 0
            while not monitor.ended:
                monitor.step()
                seen += 0 if monitor.ended else monitor.counters[0]["occurrences"]
            self.assertEqual(seen, 101)
            self.assertEqual(monitor.counters[0]["value"], 101)

    def test_errors_name_what_is_right(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = trace_file(folder)
            monitor = pmusim.Monitor("athlon", file)
            wrong_name = "^target athlon has no register 'PerfCtr9'; did you mean 'PerfCtr0'"
            with self.assertRaisesRegex(pmusim.Error, wrong_name):
                monitor.read("PerfCtr9")
            monitor.step()
            with self.assertRaisesRegex(pmusim.Error, "before its first cycle"):
                monitor.program({"PerfEvtSel0": 0})
            with self.assertRaisesRegex(pmusim.Error, "target athlon runs one trace; 2 are given"):
                pmusim.Monitor("athlon", [file, file])
            with self.assertRaisesRegex(pmusim.Error, "no parameter|unknown parameter"):
                pmusim.Monitor("athlon", file, parameters={"core.l1d_way": 1})

    def test_two_threads_have_a_monitor_each(self) -> None:
        files = pair()
        encoding = pmusim.encode("montecito", "IA64_INST_RETIRED")
        result = pmusim.run("montecito", files, writes=encoding)
        for thread in (0, 1):
            monitor = pmusim.Monitor("montecito", files, thread=thread)
            monitor.program(encoding)
            monitor.step(2**40)
            counted = [count["value"] for count in result["counts"] if count["thread"] == thread]
            self.assertEqual([monitor.read("PMD4")], counted)


def pair() -> list:
    """Two micro-traces that run together."""
    first = next(file for file in micro("montecito") if file.name.endswith("_0"))
    return [first, first.with_name(first.name[:-1] + "1")]


if __name__ == "__main__":
    unittest.main()
