"""The code of docs/python.md runs as it is written, from the first block to the last."""

import contextlib
import io
import os
import pathlib
import shutil
import tempfile
import unittest
from typing import Any, Dict, List, Tuple

import pmusim
from common import RECORDED

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"
# What a shell runs: the blocks that build the module and that name its folder.
SHELL = ("scripts/install-dependencies --python", "echo ")


def blocks() -> List[Tuple[int, str]]:
    """The number of the first line of each indented block, and its text."""
    found: List[Tuple[int, str]] = []
    inside = False
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        code = line.startswith("    ")
        if code and not inside:
            found.append((number, ""))
        if code or (inside and not line):
            found[-1] = (found[-1][0], found[-1][1] + line[4:] + "\n")
        inside = code or (inside and not line)
    return found


class Page(unittest.TestCase):
    def setUp(self) -> None:
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        shutil.copy(RECORDED / "i386-lz77.pmt", "program.pmt")  # the page's name for a trace of the user

    def tearDown(self) -> None:
        os.chdir(self.before)
        self.folder.cleanup()

    def test_all_of_its_code_runs(self) -> None:
        python = [(line, text) for line, text in blocks() if not text.startswith(SHELL)]
        self.assertEqual(len(python), len(blocks()) - len(SHELL))
        self.assertGreaterEqual(len(python), 4)  # a section each: calls, arrays, a PMU, an encoder
        names: Dict[str, Any] = {}
        output = io.StringIO()
        for line, text in python:
            with self.subTest(line=line), contextlib.redirect_stdout(output):
                exec(compile("\n" * (line - 1) + text, str(PAGE), "exec"), names)  # pylint: disable=exec-used
        self.assertGreater(names["report"].checks, 0)
        self.assertTrue(names["monitor"].ended)
        interrupts = output.getvalue().splitlines()
        misses = pmusim.run("athlon", "program.pmt", "DATA_CACHE_MISSES")["counts"][0]["value"]
        # Each takes at least 100 misses; some more pass before the handler writes the next start value.
        self.assertTrue(0 < len(interrupts) <= misses // 100, interrupts)


if __name__ == "__main__":
    unittest.main()
