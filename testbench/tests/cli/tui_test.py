#!/usr/bin/env python3
"""report --tui and annotate --tui under a pseudo-terminal, whose screen pyte draws (python3-pyte).

  tui_test.py PMUSIM DATA

The screen must show the lines of the text output, and the terminal must be as before at the end. Exit status 77: pyte is
not installed, and PMUSIM_REQUIRE_TOOLS is not set."""
import json
import os
import re
import signal
import subprocess
import sys
import unittest

try:
    import pyte
    import screen
except ImportError:
    if os.environ.get("PMUSIM_REQUIRE_TOOLS"):
        raise
    print("needs python3-pyte")
    sys.exit(77)

PMUSIM, DATA = sys.argv[1:3]
ENVIRONMENT = {**os.environ, "PMUSIM_DATA": DATA, "PMUSIM_CACHE": "off", "TERM": "xterm-256color"}
PROFILE = ["-t", "athlon", "--trace", "i386-lz77", "-e", "DATA_CACHE_MISSES:u", "--no-stalls"]
UP, DOWN, PAGE_DOWN, HOME, END, ESCAPE = b"\x1bOA", b"\x1bOB", b"\x1b[6~", b"\x1bOH", b"\x1bOF", b"\x1b"


def on_terminal(arguments, columns=80, rows=24):
    return screen.Terminal([PMUSIM, *arguments], ENVIRONMENT, columns, rows)


def text(arguments, columns=80):
    """The lines of the text output on a terminal of this width."""
    shown = on_terminal(arguments, columns, 500)
    shown.screen = pyte.Screen(columns, 500)
    shown.stream = pyte.ByteStream(shown.screen)
    shown.read_all()
    return shown.lines()


class Report(unittest.TestCase):
    def test_shows_the_lines_of_the_text_at_each_width(self):
        terminal = on_terminal(["report", "--tui", *PROFILE])
        terminal.shows(r"^1 of \d+  Enter: instructions  q: leave")
        for columns in (80, 60, 120):
            terminal.resize(columns, 24)
            terminal.screen.resize(24, columns)
            os.kill(terminal.process.pid, signal.SIGWINCH)
            lines = text(["report", *PROFILE], columns)
            titles = next(i for i, line in enumerate(lines) if line.startswith("function"))
            rows = [line for line in lines[titles:] if line and not re.match("no room|    ", line)]
            self.assertGreaterEqual(len(rows), 4)
            terminal.wait_for(lambda: [l for l in terminal.lines() if l in rows] == rows, f"table of {columns} columns")
        os.write(terminal.master, b"q")
        self.assertEqual(terminal.end(), (0, True))

    def test_opens_a_function_at_its_hottest_instruction(self):
        listed = json.loads(subprocess.run([PMUSIM, "annotate", "kernel", *PROFILE, "--format", "json"], env=ENVIRONMENT,
                                           check=True, capture_output=True).stdout)
        hottest = max(listed["functions"][0]["rows"], key=lambda row: row["events"][0]["exact"])
        terminal = on_terminal(["report", "--tui", *PROFILE])
        terminal.shows("^1 of ")
        terminal.press(b"\r", "^kernel: hottest at " + hottest["ip"])
        terminal.wait_for(lambda: [hottest["ip"] in line for line in terminal.selected()] == [True], "hottest line")
        # Every line of the listing is one of annotate's.
        terminal.shows("q: back")
        lines = terminal.lines()
        body = lines[next(i for i, line in enumerate(lines) if line.startswith("exact")) + 1:-1]
        self.assertGreater(len(body), 15)
        self.assertLessEqual(set(body), set(text(["annotate", "kernel", *PROFILE])))
        terminal.press(ESCAPE, "q: leave")
        os.write(terminal.master, ESCAPE)
        self.assertEqual(terminal.end(), (0, True))

    def test_moves_and_searches(self):
        terminal = on_terminal(["report", "--tui", "--by", "instruction", *PROFILE])
        terminal.shows("^1 of ")
        count = int(re.match(r"1 of (\d+)", terminal.lines()[-1]).group(1))
        self.assertGreater(count, 100)
        terminal.press(DOWN, "^2 of ")
        terminal.press(UP, "^1 of ")
        terminal.press(PAGE_DOWN, r"^[12]\d of ")
        terminal.press(END, f"^{count} of ")
        terminal.press(DOWN + UP, f"^{count - 1} of ")
        terminal.press(HOME, "^1 of ")
        terminal.press(b"/imul", "^/imul$")
        terminal.press(b"\r", r"^([2-9]|\d\d+) of ")
        terminal.wait_for(lambda: any("imul" in line for line in terminal.selected()), "row with imul")
        first = terminal.selected()
        terminal.press(HOME, "^1 of ")
        os.write(terminal.master, b"n")
        terminal.wait_for(lambda: terminal.selected() == first, "first row with imul")
        terminal.press(b"/nothing\r", "^no row has 'nothing'$")
        os.write(terminal.master, b"q")
        self.assertEqual(terminal.end(), (0, True))

    def test_a_signal_leaves_the_terminal_as_it_was(self):
        terminal = on_terminal(["report", "--tui", *PROFILE])
        terminal.shows("^1 of ")
        terminal.process.send_signal(signal.SIGTERM)
        code, restored = terminal.end()
        self.assertNotEqual(code, 0)
        self.assertTrue(restored)

    def test_a_terminal_that_goes_ends_it(self):
        terminal = on_terminal(["report", "--tui", *PROFILE])
        terminal.shows("^1 of ")
        os.close(terminal.slave)
        os.close(terminal.master)
        terminal.process.wait(60)


class Annotate(unittest.TestCase):
    def test_in_two_lines_shows_a_row_and_the_keys(self):
        terminal = on_terminal(["annotate", "--tui", "_start", *PROFILE], 80, 2)
        terminal.shows(r"^\d+ of \d+  q: back  /: search  n: again$")
        self.assertEqual(terminal.selected(), terminal.lines()[:1])
        os.write(terminal.master, b"qq")
        self.assertEqual(terminal.end(), (0, True))

    def test_opens_the_named_function_and_goes_back_to_all(self):
        terminal = on_terminal(["annotate", "--tui", "_start", *PROFILE])
        terminal.shows("^_start: hottest at ")
        terminal.press(b"q", "Enter: instructions  q: leave")
        os.write(terminal.master, b"q")
        self.assertEqual(terminal.end(), (0, True))


class Refused(unittest.TestCase):
    def refusal(self, *arguments):
        done = subprocess.run([PMUSIM, *arguments, *PROFILE], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        return done.stderr

    def test_without_a_terminal(self):
        for command in ("report", "annotate"):
            self.assertEqual(self.refusal(command, "--tui"), "pmusim: --tui: expected a terminal as standard input and output\n")

    def test_with_other_output(self):
        self.assertEqual(self.refusal("report", "--tui", "--format", "json"), "pmusim: --tui shows text: leave out --format\n")
        self.assertEqual(self.refusal("report", "--tui", "--export", "callgrind"),
                         "pmusim: --tui goes with tables, and not with --export\n")

    def test_on_a_terminal_that_is_not_known(self):
        ENVIRONMENT["TERM"] = "no-such-terminal"
        try:
            terminal = on_terminal(["report", "--tui", *PROFILE])
        finally:
            ENVIRONMENT["TERM"] = "xterm-256color"
        self.assertEqual(terminal.read_all(), 2)
        self.assertIn(b"--tui: TERM is 'no-such-terminal'; expected a terminal that ncurses knows\r\n", terminal.bytes)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
