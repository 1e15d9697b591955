#!/usr/bin/env python3
"""report --tui and annotate --tui under a pseudo-terminal, whose screen pyte draws (python3-pyte).

  tui_test.py PMUSIM DATA

The screen must show the lines of the text output, and the terminal must be as before at the end. Exit status 77: pyte is
not installed, and PMUSIM_REQUIRE_TOOLS is not set."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

try:
    import pyte
except ImportError:
    if os.environ.get("PMUSIM_REQUIRE_TOOLS"):
        raise
    print("needs python3-pyte")
    sys.exit(77)

PMUSIM, DATA = sys.argv[1:3]
ENVIRONMENT = {**os.environ, "PMUSIM_DATA": DATA, "PMUSIM_CACHE": "off", "TERM": "xterm-256color"}
PROFILE = ["-t", "athlon", "--trace", "i386-lz77", "-e", "DATA_CACHE_MISSES:u", "--no-stalls"]
LEAVES_SCREEN = b"\x1b[?1049l"
UP, DOWN, PAGE_DOWN, HOME, END, ESCAPE = b"\x1bOA", b"\x1bOB", b"\x1b[6~", b"\x1bOH", b"\x1bOF", b"\x1b"


class Terminal:
    """A terminal with the command in it."""

    def __init__(self, arguments, columns=80, rows=24):
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(slave)
        self.bytes = b""
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.process = subprocess.Popen([PMUSIM, *arguments], stdin=slave, stdout=slave, stderr=slave, env=ENVIRONMENT,
                                        start_new_session=True)
        self.slave = slave

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        got = os.read(self.master, 65536)
        self.bytes += got
        self.stream.feed(got)
        return True

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def wait_for(self, test, what):
        """Reads until the screen is as expected: a deadline for a hang alone."""
        end = time.monotonic() + 60
        while not test():
            if time.monotonic() > end:
                raise AssertionError(f"no {what} on the screen:\n" + "\n".join(self.lines()))
            self.read(0.05)

    def shows(self, pattern):
        self.wait_for(lambda: any(re.search(pattern, line) for line in self.lines()), pattern)

    def press(self, key, pattern):
        os.write(self.master, key)
        self.shows(pattern)

    def selected(self):
        """The lines in reverse video."""
        reverse = [y for y in range(self.screen.lines) if self.screen.buffer[y][0].reverse]
        return [self.lines()[y] for y in reverse]

    def read_all(self):
        """To the command's end; returns its exit code."""
        while self.process.poll() is None or select.select([self.master], [], [], 0)[0]:
            self.read(0.05)
        return self.process.returncode

    def end(self):
        code = self.read_all()
        after = termios.tcgetattr(self.slave)
        os.close(self.slave)
        os.close(self.master)
        return code, LEAVES_SCREEN in self.bytes and after == self.before


def text(arguments, columns=80):
    """The lines of the text output on a terminal of this width."""
    shown = Terminal(arguments, columns, 500)
    shown.screen = pyte.Screen(columns, 500)
    shown.stream = pyte.ByteStream(shown.screen)
    shown.read_all()
    return shown.lines()


class Report(unittest.TestCase):
    def test_shows_the_lines_of_the_text_at_each_width(self):
        terminal = Terminal(["report", "--tui", *PROFILE])
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
        terminal = Terminal(["report", "--tui", *PROFILE])
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
        terminal = Terminal(["report", "--tui", "--by", "instruction", *PROFILE])
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
        terminal = Terminal(["report", "--tui", *PROFILE])
        terminal.shows("^1 of ")
        terminal.process.send_signal(signal.SIGTERM)
        code, restored = terminal.end()
        self.assertNotEqual(code, 0)
        self.assertTrue(restored)

    def test_a_terminal_that_goes_ends_it(self):
        terminal = Terminal(["report", "--tui", *PROFILE])
        terminal.shows("^1 of ")
        os.close(terminal.slave)
        os.close(terminal.master)
        terminal.process.wait(60)


class Annotate(unittest.TestCase):
    def test_opens_the_named_function_and_goes_back_to_all(self):
        terminal = Terminal(["annotate", "--tui", "_start", *PROFILE])
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
            terminal = Terminal(["report", "--tui", *PROFILE])
        finally:
            ENVIRONMENT["TERM"] = "xterm-256color"
        self.assertEqual(terminal.read_all(), 2)
        self.assertIn(b"--tui: TERM is 'no-such-terminal'; expected a terminal that ncurses knows\r\n", terminal.bytes)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
