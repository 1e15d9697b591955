"""Shared parts of the tests: paths, and the command to compare the module with."""

import json
import os
import pathlib
import subprocess
from typing import Any, List

SOURCE = pathlib.Path(os.environ["PMUSIM_DATA"])
RECORDED = SOURCE / "isa-traces" / "recorded"
MICRO = SOURCE / "isa-traces" / "micro"
COMMAND = os.environ["PMUSIM"]


def shell(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)


def micro(family: str) -> List[pathlib.Path]:
    """The micro-traces of a family."""
    collection = MICRO / f"{family}.pmt"
    names = shell("trace", "info", f"{collection}/").stderr.strip().split("expected one of: ")[1]
    return [collection / name for name in names.split(", ")]


def printed(*arguments: str) -> List[Any]:
    """The JSON output of the command."""
    done = shell(*arguments, "--format", "json")
    return [json.loads(line) for line in done.stdout.splitlines()]
