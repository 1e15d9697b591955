"""Every notebook of docs/notebooks must run to its end: its cells in order, in one name space."""

import contextlib
import importlib.util
import io
import json
import os
import unittest
import warnings

from common import SOURCE


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
