"""Functions of the module compared with the command's JSON, and their errors with its error line."""

import subprocess
import sys
import tempfile
import pathlib
import unittest

import pmusim
from common import RECORDED, SOURCE, printed, shell

# 101 instructions, of which 50 are branches
LOOP = "! isa i386\n" + "08048000 8b03 L 1000 4\n08048002 ebfc T 08048000\n" * 50 + "08048000 8b03 L 1000 4\n"


def trace_file(folder: str, text: str = LOOP) -> pathlib.Path:
    file = pathlib.Path(folder) / "t.txt"
    file.write_text(text)
    return file


class Values(unittest.TestCase):
    def test_tables_are_those_of_the_command(self) -> None:
        names = [target["target"] for target in pmusim.targets()]
        self.assertEqual(names, [row["target"] for row in printed("targets")])
        events = pmusim.events("athlon", "refill")
        listed = printed("events", "-t", "athlon", "refill")
        self.assertEqual([event["event"] for event in events], [row["event"] for row in listed])
        self.assertEqual(events[0]["counters"][0]["code"], int(listed[0]["counters"][0]["code"], 16))
        skid = next(row for row in pmusim.parameters("athlon") if row["name"] == "pmu.skid")
        self.assertEqual((skid["default"], skid["unit"]), ("4", "clocks"))

    def test_an_encoding_can_be_taken_apart_again(self) -> None:
        encoding = pmusim.encode("athlon", "DATA_CACHE_REFILLS:L2_SHARED:u:c=2")
        # AMD 22007, page 163: event 42h, unit mask 02h, USR bit 16, EN bit 22, counter mask in bits 31:24.
        self.assertEqual(encoding["registers"][0]["value"], 0x42 | 0x02 << 8 | 1 << 16 | 1 << 22 | 2 << 24)
        decoding = pmusim.decode("athlon", encoding)
        self.assertEqual(decoding["selections"][0]["event"], encoding["events"][0]["event"])
        fields = {field["field"]: field["value"] for field in decoding["registers"][0]["fields"]}
        self.assertEqual(fields["EVENT"], 0x42)

    def test_a_run_counts_what_the_trace_has(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = trace_file(folder)
            events = ["RETIRED_INSTRUCTIONS", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"]
            result = pmusim.run("athlon", file, events, registers=True)
            self.assertEqual([count["value"] for count in result["counts"]], [101, 50])
            again = pmusim.run("athlon", file, writes=pmusim.encode("athlon", "RETIRED_INSTRUCTIONS"))
            self.assertEqual(again["counts"][0]["value"], 101)
            part = pmusim.run("athlon", file, "RETIRED_INSTRUCTIONS", roi=(10, 60))
            self.assertEqual(part["counts"][0]["value"], part["instructions"])
            many = pmusim.run("athlon", file, ["RETIRED_INSTRUCTIONS"] * 5, passes=True)
            self.assertEqual([count["value"] for count in many["counts"]], [101] * 5)

    def test_an_explanation_adds_up_to_the_count(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = trace_file(folder)
            counter = pmusim.explain("athlon", file, "RETIRED_INSTRUCTIONS", neighbours=False)["counters"][0]
            self.assertEqual(counter["value"], 101)
            by_address = {row["ip"]: row["amount"] for row in counter["instructions"]}
            self.assertEqual(by_address, {0x8048000: 51, 0x8048002: 50})

    def test_a_report_is_that_of_the_command(self) -> None:
        trace = str(RECORDED / "i386-recursion-O2.pmt")
        report = pmusim.report("athlon", trace, ["RETIRED_INSTRUCTIONS", "CPU_CLK_UNHALTED"], by="line", top=1000)
        self.assertEqual(report["rows_in_all"], len(report["rows"]))
        for i, event in enumerate(report["events"]):
            self.assertEqual(sum(row["events"][i]["exact"] for row in report["rows"]), event["counted"])
        for i, stall in enumerate(report["stalls"]):
            self.assertEqual(sum(row["stalls"][i] for row in report["rows"]), stall["cycles"])
        self.assertEqual([stall["title"] for stall in report["stalls"]], ["dispatch", "no code"])
        self.assertEqual(report["rows"], printed("report", "-t", "athlon", "--trace", trace, "-e", "RETIRED_INSTRUCTIONS",
                                                 "-e", "CPU_CLK_UNHALTED", "--by", "line", "--top", "1000")[0]["rows"])
        self.assertEqual(pmusim.report("athlon", trace, stalls=False)["stalls"], [])
        sampled = pmusim.report("athlon", trace, "RETIRED_INSTRUCTIONS", period=100, randomize=False)["events"][0]
        self.assertEqual(sampled["estimated"], 100 * sampled["samples"])

    def test_a_function_is_annotated(self) -> None:
        trace = str(RECORDED / "i386-recursion-O2.pmt")
        found = pmusim.annotate("athlon", trace, "RETIRED_INSTRUCTIONS", "kernel", source=SOURCE / "isa-traces" / "programs")
        self.assertEqual([one["function"] for one in found["functions"]], ["kernel"])
        rows = found["functions"][0]["rows"]
        self.assertEqual(sum(row["events"][0]["exact"] for row in rows), found["functions"][0]["events"][0]["exact"])
        text = (SOURCE / "isa-traces" / "programs" / "recursion.c").read_text().splitlines()
        lines = {(row["line"], row["source"]) for row in rows if (row["file"] or "").endswith("recursion.c")}
        self.assertGreater(len(lines), 3)
        for line, source in lines:
            self.assertEqual(source, text[(line or 0) - 1])
        self.assertTrue(all(isinstance(row["ip"], int) and isinstance(row["instruction"], str) for row in rows))
        with self.assertRaisesRegex(pmusim.Error, "no function 'kernal'; did you mean 'kernel'"):
            pmusim.annotate("athlon", trace, functions="kernal")

    def test_samples_have_columns(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pairs, last = LOOP.splitlines()[1:3], LOOP.splitlines()[-1]
            text = "\n".join(["! isa i386", *(pairs * 1000), last])  # 2001 instructions
            file = trace_file(folder, text + "\n")
            samples = pmusim.record("athlon", file, "RETIRED_INSTRUCTIONS", 100, randomize=False)
            self.assertIn(len(samples), (19, 20))  # the program may end before the last one is taken
            cycles = samples.column("cycle")
            self.assertTrue((cycles[1:] > cycles[:-1]).all())
            self.assertEqual(set(samples.column("ip").tolist()) - {0x8048000, 0x8048002}, set())
            with self.assertRaisesRegex(pmusim.Error, "^a sample has no 'sia'; there are: index, cycle"):
                samples.column("sia")

    def test_errors_are_the_line_of_the_command(self) -> None:
        wrong = [(lambda: pmusim.encode("athlon", "CYCLE"), ["encode", "-t", "athlon", "-e", "CYCLE"]),
                 (lambda: pmusim.events("athlom"), ["events", "-t", "athlom"]),
                 (lambda: pmusim.run("athlon", "absent.pmt", "ICU_FULL"),
                  ["run", "-t", "athlon", "--trace", "absent.pmt", "-e", "ICU_FULL"]),
                 (lambda: pmusim.command("trace", "info", "absent.pmt"), ["trace", "info", "absent.pmt"])]
        for call, arguments in wrong:
            done = shell(*arguments)
            self.assertEqual(done.returncode, 2)
            with self.assertRaises(pmusim.Error) as raised:
                call()
            self.assertEqual(f"pmusim: {raised.exception}\n", done.stderr)

    def test_notes_are_warnings(self) -> None:
        with self.assertWarnsRegex(UserWarning, "no sample"), tempfile.TemporaryDirectory() as folder:
            pmusim.record("athlon", trace_file(folder), "RETIRED_INSTRUCTIONS", 1000)

    def test_what_a_prompt_shows_is_short(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = trace_file(folder)
            self.assertEqual(repr(pmusim.Trace(file)), f"<pmusim.Trace: 101 i386 instructions of {file}>")
            monitor = pmusim.Monitor("athlon", file)
            monitor.step(7)
            self.assertEqual(repr(monitor), "<pmusim.Monitor: athlon in cycle 7>")
            samples = pmusim.record("athlon", file, "RETIRED_INSTRUCTIONS", 40, randomize=False)
            self.assertRegex(repr(samples), r"^<pmusim.Samples: 2 of .*ip")
        row = {"target": "athlon", "checks": 3, "mismatches": 1, "details": []}
        self.assertEqual(repr(pmusim.Report(False, [row, {**row, "target": "ppc750gx"}])),
                         "<pmusim.Report: not good, 6 checks, 2 mismatches: athlon, ppc750gx>")

    def test_an_interrupt_from_the_keyboard_ends_a_run(self) -> None:
        script = ("import os, signal, threading, pmusim\n"
                  "threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                  "try:\n  pmusim.validate('athlon')\nexcept KeyboardInterrupt:\n  print('ended')\n")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.stdout, "ended\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
