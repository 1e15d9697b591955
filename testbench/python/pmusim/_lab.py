"""The laboratory in a notebook: an iframe of the page that `pmusim lab` serves."""

from __future__ import annotations

import atexit
import html
import os
import pathlib
import shutil
import subprocess
from os import PathLike, fspath
from typing import Any, List, Union

from pmusim._pmusim import Error


def _command() -> str:
    """The command: $PMUSIM, or that of the same build, or the one on the path."""
    beside = pathlib.Path(__file__).resolve().parents[2] / "bin" / "pmusim"
    found = os.environ.get("PMUSIM") or (str(beside) if beside.exists() else shutil.which("pmusim"))
    if found is None:
        raise Error("the command pmusim is not on the path; expected it there or in $PMUSIM")
    return found


class Lab:
    """A running `pmusim lab`. A notebook shows it as its page; `url` opens it in a browser."""

    def __init__(self, arguments: List[str], height: int) -> None:
        self.height = height
        # pylint: disable=consider-using-with  # it runs as long as the notebook shows it
        self._server = subprocess.Popen([_command(), "lab", "--no-browser", *arguments], text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self._server.stdout is not None and self._server.stderr is not None
        self.url = self._server.stdout.readline().strip()
        if not self.url.startswith("http"):
            line = self._server.stderr.read().strip()
            self.stop()
            raise Error(line[len("pmusim: "):] if line.startswith("pmusim: ") else line or "pmusim lab does not start")
        atexit.register(self.stop)

    def stop(self) -> None:
        """Ends the server; the page stays as it is."""
        if self._server.poll() is None:
            self._server.terminate()
        self._server.wait()
        for stream in (self._server.stdout, self._server.stderr):
            if stream is not None:
                stream.close()
        atexit.unregister(self.stop)

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<pmusim.Lab: {self.url}>"

    def _repr_html_(self) -> str:
        return (f'<iframe src="{html.escape(self.url, quote=True)}" width="100%" height="{self.height}" '
                'style="border: 1px solid #ccc" title="pmusim laboratory"></iframe>')


def lab(trace: Union[str, PathLike[str], None] = None, *, target: str | None = None, height: int = 768) -> Lab:
    """The laboratory over a trace, as the value of a notebook's cell: registers, pipeline and counter, cycle by cycle.

    trace: a file or the name of a shipped trace; None: the page's own. target: the processor; None: one that runs the
    trace. height: of the page in pixels. The server listens on the loopback only and ends with the interpreter, or
    with stop(). Raises an Error with the command's line.
    """
    arguments = [] if target is None else ["-t", target]
    return Lab(arguments + ([] if trace is None else [fspath(trace)]), height)
