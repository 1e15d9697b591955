"""A command on a pseudo-terminal, whose screen pyte draws (Debian: python3-pyte): for the test of --tui and its picture."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pyte

LEAVES_SCREEN = b"\x1b[?1049l"


class Terminal:
    """A terminal with a command in it."""

    def __init__(self, command, environment, columns=80, rows=24, cwd=None):
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(slave)
        self.bytes = b""
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=cwd,
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
