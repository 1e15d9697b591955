#!/usr/bin/env python3
"""software.inc must equal the assembled software.s. Needs binutils-alpha-linux-gnu.

  software_test.py FOLDER_OF_THE_PLATFORM
"""
import os
import shutil
import subprocess
import sys

folder = sys.argv[1]
if "PMUSIM_REQUIRE_TOOLS" not in os.environ and not shutil.which("alpha-linux-gnu-as"):
    print("no alpha-linux-gnu-as: not compared")
    sys.exit(0)
made = subprocess.run([os.path.join(folder, "make-software")], capture_output=True, text=True, check=True).stdout
with open(os.path.join(folder, "software.inc"), encoding="utf-8") as file:
    if file.read() != made:
        sys.exit("software.inc is not what make-software makes of software.s")
