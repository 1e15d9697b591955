"""Shared parts of the tests: paths, and the command to compare the module with."""

import json
import os
import pathlib
import subprocess
from typing import Any, List

SOURCE = pathlib.Path(os.environ["PMUSIM_DATA"])
RECORDED = SOURCE / "isa-traces" / "recorded"
MICRO = SOURCE / "testbench" / "tests" / "micro" / "traces"
COMMAND = os.environ["PMUSIM"]


def shell(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)


def printed(*arguments: str) -> List[Any]:
    """The JSON output of the command."""
    done = shell(*arguments, "--format", "json")
    return [json.loads(line) for line in done.stdout.splitlines()]
