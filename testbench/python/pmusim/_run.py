"""The result of run(), with a plot of its intervals."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, List, Literal, overload

from pmusim._pmusim import Error
from pmusim._types import Count


class RunResult(Dict[str, Any]):
    """The values of `pmusim run` by their keys (docs/json.md): `target`, `trace`, `cycles`, `instructions`, `counts`, ..."""

    @overload
    def __getitem__(self, key: Literal["counts"]) -> List[Count]: ...
    @overload
    def __getitem__(self, key: Literal["cycles", "instructions", "first_instruction", "passes", "interval_cycles"]) -> int: ...
    @overload
    def __getitem__(self, key: Literal["target", "trace"]) -> str: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...
    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(key)

    def plot(self, axes: Any = None) -> Any:
        """Draws the count of each event in each interval over the cycles of the run, and returns matplotlib's axes.

        `axes`: where to draw; None: a new figure. Needs `run(..., interval=CYCLES)`, otherwise raises an Error.
        """
        counts = [count for count in self["counts"] if "intervals" in count]
        if not counts:
            raise Error("the run has no intervals; expected run(..., interval=CYCLES)")
        if axes is None:
            # Only a plot needs matplotlib, which has no types.
            axes = import_module("matplotlib.pyplot").figure().add_subplot()
        length, cycles = self["interval_cycles"], self["cycles"]
        for count in counts:
            edges = [min(i * length, cycles) for i in range(len(count["intervals"]) + 1)]
            thread = f", thread {count['thread']}" if "thread" in count else ""
            axes.stairs(count["intervals"], edges, label=count["event"].partition("::")[2] + thread)
        axes.set_xlabel("cycles")
        axes.set_ylabel(f"counts in {length:,} cycles")
        axes.legend()
        return axes
