"""What a notebook shows: the plot of intervals, and the laboratory in an iframe. Every notebook of docs/notebooks must run
to its end: its cells in order, in one name space."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest
import warnings
from unittest import mock

import pmusim
from common import RECORDED, SOURCE

try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    matplotlib = None


class Plot(unittest.TestCase):
    def test_intervals_add_up(self) -> None:
        run = pmusim.run("athlon", RECORDED / "i386-units.pmt", ["CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS"], interval=10_000)
        self.assertEqual(run["interval_cycles"], 10_000)
        for count in run["counts"]:
            self.assertEqual(sum(count["intervals"]), count["value"])

    @unittest.skipIf(matplotlib is None, "no matplotlib")
    def test_has_a_step_for_each_interval(self) -> None:
        run = pmusim.run("athlon", RECORDED / "i386-units.pmt", ["CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS"], interval=10_000)
        axes = run.plot()
        self.assertEqual(len(axes.patches), 2)
        for count, steps in zip(run["counts"], axes.patches):
            values, edges, _ = steps.get_data()
            self.assertEqual(list(values), count["intervals"])
            self.assertEqual(edges[-1], run["cycles"])
        self.assertIn("10,000", axes.get_ylabel())
        self.assertIs(run.plot(axes), axes)

    def test_needs_intervals(self) -> None:
        run = pmusim.run("athlon", RECORDED / "i386-units.pmt", "RETIRED_INSTRUCTIONS")
        with self.assertRaisesRegex(pmusim.Error, "expected run"):
            run.plot()


class Laboratory(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self) -> None:
        self.folder.cleanup()

    def command(self, script: str) -> "mock._patch_dict":
        """$PMUSIM as a shell script."""
        path = pathlib.Path(self.folder.name) / "command"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return mock.patch.dict(os.environ, PMUSIM=str(path))

    def test_is_an_iframe_of_the_server(self) -> None:
        with self.command('echo "http://127.0.0.1:1/?a=1&b=$*"\nexec sleep 60\n'):
            with pmusim.lab("t.pmt", target="athlon", height=500) as lab:
                self.assertEqual(lab.url, "http://127.0.0.1:1/?a=1&b=lab --no-browser -t athlon t.pmt")
                shown = lab._repr_html_()
                self.assertIn('src="http://127.0.0.1:1/?a=1&amp;b=lab', shown)
                self.assertIn('height="500"', shown)
                server = lab._server
                self.assertIsNone(server.poll())
            self.assertIsNotNone(server.poll())

    def test_a_failure_is_the_line_of_the_command(self) -> None:
        with self.command("echo 'pmusim: t.pmt: cannot be opened' >&2\nexit 2\n"):
            with self.assertRaisesRegex(pmusim.Error, "^t.pmt: cannot be opened$"):
                pmusim.lab("t.pmt")

    def test_with_the_command(self) -> None:
        command = os.environ.get("PMUSIM") or shutil.which("pmusim")
        if command is None or subprocess.run([command, "lab", "--help"], capture_output=True, check=False).returncode:
            self.skipTest("this build has no pmusim lab")
        with pmusim.lab(RECORDED / "i386-units.pmt") as lab:
            self.assertTrue(lab.url.startswith("http://127.0.0.1:"), lab.url)


# scripts/install-dependencies installs matplotlib, 400 MB, for the nightly run only.
@unittest.skipUnless(importlib.util.find_spec("matplotlib") or os.environ.get("PMUSIM_REQUIRE_TOOLS") == "night",
                     "matplotlib is not installed")
class Notebooks(unittest.TestCase):
    def test_cells_run(self) -> None:
        os.environ["MPLBACKEND"] = "Agg"
        notebooks = sorted((SOURCE / "docs" / "notebooks").glob("*.ipynb"))
        self.assertGreaterEqual(len(notebooks), 3)
        for notebook in notebooks:
            names: dict = {}
            for number, cell in enumerate(json.loads(notebook.read_text())["cells"]):
                if cell["cell_type"] != "code":
                    continue
                code = compile("".join(cell["source"]), f"{notebook.name}, cell {number}", "exec")
                with self.subTest(notebook=notebook.name, cell=number), warnings.catch_warnings(), \
                        contextlib.redirect_stdout(io.StringIO()):
                    warnings.filterwarnings("ignore", category=DeprecationWarning)  # raised by libraries
                    exec(code, names)


if __name__ == "__main__":
    unittest.main()
