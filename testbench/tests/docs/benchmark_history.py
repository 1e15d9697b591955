"""Tests that scripts/benchmark-history stores the table, one row per release, and draws it, and that the picture of
scripts/draw-scale is that of its data.

    benchmark_history.py SOURCE
"""
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(sys.argv.pop())
HEAD = "Measured on: A Processor, 2 processors, load 0.1 at the start.\n\n| figure | target | measured | floor | verdict |\n|---|---|---|---|---|\n"


class Scale(unittest.TestCase):
    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("scripts/draw-scale", "scripts/benchmark-history", "docs/generated/scale.csv"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / name, root / name)
            (root / "docs" / "pictures").mkdir()
            subprocess.run([root / "scripts" / "draw-scale"], check=True)
            picture = pathlib.Path("docs", "pictures", "scale.svg")
            self.assertEqual((root / picture).read_text(), (SOURCE / picture).read_text())


class History(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("scripts", "docs/generated", "docs/pictures"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(SOURCE / "scripts" / "benchmark-history", self.root / "scripts")

    def release(self, name, *figures):
        rows = "".join(f"| {figure} | {target} | {measured} | <= 12 x | met |\n" for figure, target, measured in figures)
        other = "<!-- end of table -->\n| athlon | CYCLES | 1.0 | 2.0 | |\n"
        (self.root / "docs" / "benchmarks.md").write_text(HEAD + rows + other)
        return self.run_it(name).returncode

    def run_it(self, *words):
        return subprocess.run([self.root / "scripts" / "benchmark-history", *words], capture_output=True, text=True)

    def rows(self):
        with open(self.root / "docs" / "generated" / "benchmarks.csv", newline="") as file:
            return {row["release"]: row for row in csv.DictReader(file)}

    def test_rows(self):
        self.assertEqual(self.release("1.0.0", ("whole run over decoding", "athlon", "9.5 x")), 0)
        self.assertEqual(self.release("1.1.0", ("whole run over decoding", "athlon", "8.0 x"),
                                      ("requests judged a second, 1 process", "athlon", "9,599")), 0)
        self.assertEqual(self.release("1.1.0", ("whole run over decoding", "athlon", "7.5 x"),
                                      ("requests judged a second, 1 process", "athlon", "9,599")), 0)
        rows = self.rows()
        self.assertEqual(list(rows), ["1.0.0", "1.1.0"])
        self.assertNotIn("athlon: CYCLES", rows["1.1.0"])
        self.assertEqual(rows["1.0.0"]["machine"], "A Processor, 2 processors")
        self.assertEqual([row["whole run over decoding: athlon"] for row in rows.values()], ["9.5", "7.5"])
        self.assertEqual([row["requests judged a second, 1 process: athlon"] for row in rows.values()], ["", "9599"])

    def test_picture(self):
        self.release("1.0.0", ("whole run over decoding", "athlon", "9.5 x"), ("whole run over decoding", "alpha-ev4", "5.5 x"))
        self.release("1.1.0", ("whole run over decoding", "athlon", "7.5 x"))
        picture = xml.etree.ElementTree.parse(self.root / "docs" / "pictures" / "benchmarks.svg").getroot()
        svg = "{http://www.w3.org/2000/svg}"
        lines = [line.get("points").split() for line in picture.iter(svg + "polyline")]
        self.assertEqual(sorted(map(len, lines)), [1, 2])
        fewer, more = (tuple(map(float, point.split(","))) for point in max(lines, key=len)[::-1])
        self.assertGreater(fewer[0], more[0], "the later release is on the right")
        self.assertGreater(fewer[1], more[1], "7.5 is below 9.5")
        texts = [text.text for text in picture.iter(svg + "text")]
        self.assertIn("7.5  athlon", texts)
        self.assertIn("5.5  alpha-ev4", texts)

    def test_usage(self):
        self.assertEqual(self.run_it("1.0.0", "1.1.0").returncode, 2)
        self.assertEqual(self.run_it("--update").returncode, 2)
        self.assertIn("RELEASE", self.run_it("--help").stdout)


if __name__ == "__main__":
    unittest.main()
