#!/usr/bin/env python3
"""Tests that every script prints its purpose with --help, and does nothing else.

    scripts_help.py FOLDER       the folder with the scripts
"""
import os
import pathlib
import subprocess
import sys

failed = 0
for script in sorted(pathlib.Path(sys.argv[1]).resolve().iterdir()):
    if not script.is_file() or not os.access(script, os.X_OK):
        continue
    got = subprocess.run([script, "--help"], capture_output=True, text=True, timeout=60)
    if got.returncode != 0 or got.stderr or script.name not in got.stdout:
        print(f"{script.name} --help: exit code {got.returncode}, its text is\n{got.stdout}{got.stderr}")
        failed = 1
sys.exit(failed)
