"""Models of performance monitoring units, and the encoder that programs them.

Every function is a subcommand of `pmusim`, with its options as arguments and its JSON as values (docs/json.md);
register values and addresses are integers. Where the command fails with a one-line message, the function raises an `Error`
with that message.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import warnings
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Union, cast, overload

import numpy as np
import numpy.typing as npt

from pmusim import _pmusim
from pmusim._encoder import (Answer, Encoder, Invalid, OwnEncoder, Request, RequestedEvent, Unsupported, answer_line,
                             serve)
from pmusim._lab import Lab, lab
from pmusim._pmusim import Block, Error, __version__, signals, states
from pmusim._run import RunResult
from pmusim._types import (AnnotatedFunction, AnnotatedRow, Annotation, Count, CounterProbe, DecodedRegister, Decoding,
                           EncodedEvent, Encoding, EventAmounts, EventInfo, Field, Filters, Interrupt, Outcome,
                           ParameterInfo, ProfiledEvent, ProfileReport, ProfileRow, Range, Register, Selection, Stall, TargetInfo, UnitMask)

__all__ = [
    "AnnotatedFunction", "AnnotatedRow", "Annotation", "Answer", "Block", "Count", "CounterProbe", "DecodedRegister",
    "Decoding", "EncodedEvent", "Encoder", "Encoding", "Error", "EventAmounts", "EventInfo", "Field", "Filters",
    "Interrupt", "Invalid", "Lab", "Monitor", "OwnEncoder", "ParameterInfo", "ProfileReport", "ProfileRow", "ProfiledEvent",
    "Range", "Register", "Report", "Request", "RequestedEvent", "RunResult", "Samples", "Selection", "Stall",
    "TargetInfo", "Trace", "UnitMask", "Unsupported", "__version__", "activity", "annotate", "command", "decode",
    "encode", "events", "explain", "lab", "parameters", "record", "recorded", "report", "run", "serve", "signals", "states",
    "targets", "validate",
]

Path = Union[str, "PathLike[str]"]
Paths = Union[Path, Sequence[Path]]
Parameters = Mapping[str, Union[int, str]]
Row = Dict[str, Any]

_HEX = re.compile(r"0x[0-9a-f]+")
_WORDS = {"meaning", "description", "function", "instruction", "source"}  # keys whose values are words, even if they look like a number


def _numbers(value: Any) -> Any:
    if isinstance(value, str):
        return int(value, 16) if _HEX.fullmatch(value) else value
    if isinstance(value, list):
        return [_numbers(element) for element in value]
    if isinstance(value, dict):
        return {key: element if key in _WORDS else _numbers(element) for key, element in value.items()}
    return value


def _files(paths: Paths) -> List[str]:
    if isinstance(paths, (str, PathLike)):
        return [fspath(paths)]
    return [fspath(path) for path in paths]


def _options(options: Mapping[str, Any]) -> List[str]:
    """Keyword arguments as options of the command: True is a flag, a list is repeated, a mapping is NAME=VALUE."""
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={key}={element}" for key, element in value.items()]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            words += [f"{option}={element}" for element in value]
        else:
            words.append(f"{option}={value}")
    return words


def _rows(outcome: Outcome) -> List[Row]:
    code, out, err = outcome
    if code == 2:
        raise Error(err.strip()[len("pmusim: "):])
    for line in err.splitlines():
        warnings.warn(line[len("pmusim: "):] if line.startswith("pmusim: ") else line, stacklevel=4)
    return [_numbers(json.loads(line)) for line in out.splitlines()]


def command(name: str, *arguments: str, **options: Any) -> List[Row]:
    """Any subcommand that prints JSON, in a process of its own: `command("trace", "info", "a.pmt")`.

    Options are those of the command line with `_` for `-`: True is a flag, a list is repeated, a mapping is NAME=VALUE.
    """
    return _rows(_pmusim.command([name, *arguments, *_options(options), "--format=json"]))


def _quick(name: str, *arguments: str, **options: Any) -> List[Row]:
    """The same in this process, for subcommands without a simulation."""
    return _rows(_pmusim.quick_command([name, *arguments, *_options(options), "--format=json"]))


def targets() -> List[TargetInfo]:
    """The modelled processors."""
    return cast(List[TargetInfo], _quick("targets"))


def parameters(target: str = "all") -> List[ParameterInfo]:
    """Parameters of core and PMU, with their defaults and sources."""
    return cast(List[ParameterInfo], [{**row, "default": str(row["default"])}
                                      for row in _quick("targets", target=target, parameters=True)])


def events(target: str = "all", pattern: str = "") -> List[EventInfo]:
    """Events whose name, unit mask or description contains `pattern`."""
    return cast(List[EventInfo], _quick("events", *([pattern] if pattern else []), target=target))


def encode(target: str, events: Union[str, Sequence[str]], *, sampling: bool = False,
           filters: Filters | None = None) -> Encoding:
    """Encodes event strings: register values in the order of writing."""
    names = [events] if isinstance(events, str) else list(events)
    rows = _quick("encode", target=target, event=names, sampling=sampling, **(filters or {}))
    return cast(Encoding, rows[0])


def decode(target: str, registers: Union[Mapping[str, int], Encoding]) -> Decoding:
    """Decodes register values: fields in words, and the events that the counters count."""
    rows = _quick("decode", *[f"{name}={value}" for name, value in _values(registers)], target=target)
    return cast(Decoding, {"registers": [row for row in rows if "fields" in row],
                           "selections": [row for row in rows if "fields" not in row]})


def _values(registers: Union[Mapping[str, int], Encoding]) -> List[tuple[str, int]]:
    if "registers" in registers:
        return [(register["name"], register["value"]) for register in cast(Encoding, registers)["registers"]]
    return list(registers.items())


def run(target: str, trace: Paths, events: Union[str, Sequence[str]] = (), *,
        writes: Union[Mapping[str, int], Encoding, None] = None, filters: Filters | None = None,
        parameters: Parameters | None = None, passes: bool = False, registers: bool = False,
        roi: tuple[int, int] | None = None, warmup: int = 0, perturb: bool = False, handler: int | None = None,
        path: bool = False, isa: str | None = None, vcd: Path | None = None, vcd_cycles: int | str | None = None,
        perfetto: Path | None = None, interval: int | None = None) -> RunResult:
    """Counts over a trace, by event names or by register values of any encoder.

    `interval`: also the count in each interval of so many cycles, which the result's `plot()` draws. `roi`: the first
    instruction and the one after the last; `passes`: more events than counters, in several runs. Raises an Error.
    """
    names = [events] if isinstance(events, str) else list(events)
    rows = command("run", target=target, trace=_files(trace), event=names,
                   write=None if writes is None else dict(_values(writes)), set=parameters, passes=passes,
                   registers=registers, roi=None if roi is None else f"{roi[0]}:{roi[1]}", warmup=warmup or None,
                   perturb=perturb, handler=handler, path=path, isa=isa, vcd=vcd, vcd_cycles=vcd_cycles,
                   perfetto=perfetto, interval=interval, **(filters or {}))
    return RunResult(rows[0])


def explain(target: str, trace: Paths, events: Union[str, Sequence[str]] = (), *,
            writes: Union[Mapping[str, int], Encoding, None] = None, filters: Filters | None = None,
            parameters: Parameters | None = None, roi: tuple[int, int] | None = None, warmup: int = 0,
            symbols: Paths = (), top: int | None = None, neighbours: bool = True, isa: str | None = None) -> Row:
    """Explains each count: its steps, the instructions and addresses that caused it, its neighbours."""
    names = [events] if isinstance(events, str) else list(events)
    return command("explain", target=target, trace=_files(trace), event=names,
                   write=None if writes is None else dict(_values(writes)), set=parameters,
                   roi=None if roi is None else f"{roi[0]}:{roi[1]}", warmup=warmup or None, symbols=_files(symbols),
                   top=top, no_neighbours=not neighbours, isa=isa, **(filters or {}))[0]


def _profiled(name: str, functions: Sequence[str], target: str, trace: Paths, events: Union[str, Sequence[str]],
              options: Mapping[str, Any], roi: tuple[int, int] | None, filters: Filters | None) -> Row:
    names = [events] if isinstance(events, str) else list(events)
    return command(name, *functions, target=target, trace=_files(trace), event=names,
                   roi=None if roi is None else f"{roi[0]}:{roi[1]}", **options, **(filters or {}))[0]


def report(target: str, trace: Paths, events: Union[str, Sequence[str]] = (), *, by: str | None = None,
           period: int | None = None, randomize: bool | None = None, seed: int | None = None, top: int | None = None,
           stalls: bool = True, elf: Paths = (), symbols: Paths = (), filters: Filters | None = None,
           parameters: Parameters | None = None, roi: tuple[int, int] | None = None, warmup: int = 0,
           isa: str | None = None) -> ProfileReport:
    """A program's events and cycles: exact, and with `period` also estimated from samples, by "function", "line" or
    "instruction"; at most `top` rows (20). Each event has its own PMU. `stalls`: the target's stall events, too."""
    options = dict(by=by, period=period, randomize=randomize is True, no_randomize=randomize is False, seed=seed, top=top,
                   no_stalls=not stalls, elf=_files(elf), symbols=_files(symbols), set=parameters, warmup=warmup or None,
                   isa=isa)
    return cast(ProfileReport, _profiled("report", [], target, trace, events, options, roi, filters))


def annotate(target: str, trace: Paths, events: Union[str, Sequence[str]] = (),
             functions: Union[str, Sequence[str]] = (), *, period: int | None = None, randomize: bool | None = None,
             seed: int | None = None, top: int | None = None, stalls: bool = True, elf: Paths = (), symbols: Paths = (),
             source: Path | None = None, filters: Filters | None = None, parameters: Parameters | None = None,
             roi: tuple[int, int] | None = None, warmup: int = 0, isa: str | None = None) -> Annotation:
    """The instructions of `functions`, or of the `top` (3) functions with most of the first event, each with the amounts of
    report(), and with source lines if available. Source files are found at their compile-time paths, or in `source`."""
    wanted = [functions] if isinstance(functions, str) else list(functions)
    options = dict(period=period, randomize=randomize is True, no_randomize=randomize is False, seed=seed, top=top,
                   no_stalls=not stalls, elf=_files(elf), symbols=_files(symbols),
                   source=None if source is None else fspath(source), set=parameters, warmup=warmup or None, isa=isa)
    return cast(Annotation, _profiled("annotate", wanted, target, trace, events, options, roi, filters))


class Samples(Sequence[Row]):
    """Samples in the order of their interrupts: rows as in docs/json.md, and columns as arrays."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def __repr__(self) -> str:
        return f"<pmusim.Samples: {len(self)} of {', '.join(self._rows[0]) if self._rows else 'nothing'}>"

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Samples: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Row, Samples]:
        return Samples(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def column(self, key: str) -> npt.NDArray[np.uint64]:
        """The values of a numeric key for all samples: `column("ip")`, `column("sia")`."""
        try:
            return np.array([row[key] for row in self._rows], dtype=np.uint64)
        except KeyError:
            raise Error(f"a sample has no '{key}'; there are: {', '.join(self._rows[0])}") from None


def record(target: str, trace: Paths, events: Union[str, Sequence[str]], period: int, *,
           filters: Filters | None = None, parameters: Parameters | None = None, randomize: bool | None = None,
           seed: int | None = None, roi: tuple[int, int] | None = None, warmup: int = 0, perturb: bool = False,
           handler: int | None = None, path: bool = False, isa: str | None = None, vcd: Path | None = None,
           vcd_cycles: int | str | None = None, perfetto: Path | None = None) -> Samples:
    """A sample every `period` events, with the latched registers; the period is randomized unless `randomize` is False."""
    names = [events] if isinstance(events, str) else list(events)
    return Samples(command("record", target=target, trace=_files(trace), event=names, period=period, set=parameters,
                           randomize=randomize is True, no_randomize=randomize is False, seed=seed,
                           roi=None if roi is None else f"{roi[0]}:{roi[1]}",
                           warmup=warmup or None, perturb=perturb, handler=handler, path=path, isa=isa, vcd=vcd,
                           vcd_cycles=vcd_cycles, perfetto=perfetto, **(filters or {})))


@dataclass(frozen=True, repr=False)
class Report:
    """The verdict on an encoder: `targets` has one object per target, as in docs/json.md."""

    good: bool
    targets: List[Row]

    def __repr__(self) -> str:
        names = ", ".join(target["target"] for target in self.targets)
        wrong = sum(target["mismatches"] for target in self.targets)
        verdict = "good" if self.good else "not good"
        return f"<pmusim.Report: {verdict}, {self.checks} checks, {wrong} mismatches: {names}>"

    @property
    def mismatches(self) -> List[Row]:
        """All listed mismatches; `question` repeats one: validate(target, encoder=..., question=...)."""
        return [detail for target in self.targets for detail in target["details"]]

    @property
    def checks(self) -> int:
        return sum(target["checks"] for target in self.targets)


def validate(target: str = "all", *, encoder: Union[Encoder, str, None] = None, traces: Paths = (),
             second: Path | None = None, only: str = "", question: str = "", quick: bool = False,
             parameters: Parameters | None = None, jobs: int | None = None, require_coverage: float | None = None,
             junit: Path | None = None, encoder_timeout: int | None = None, sandbox: bool = False) -> Report:
    """Checks that an encoder's registers count what the event names promise.

    `encoder` is an object (see Encoder), which is called in this process, or the command of a program; without it this
    project's encoder is judged. An exception of the object, other than Unsupported and Invalid, ends the validation.
    """
    program = encoder if isinstance(encoder, str) else None
    words = _options(dict(target=target, trace=_files(traces), second=second, only=only or None,
                          question=question or None, quick=quick, set=parameters, jobs=jobs,
                          require_coverage=require_coverage, junit=junit, encoder=program,
                          encoder_timeout=encoder_timeout, sandbox=sandbox, format="json"))
    if encoder is None or isinstance(encoder, str):
        outcome = _pmusim.command(["validate", *words])
    else:
        judged = encoder
        outcome = _pmusim.validate(lambda line: answer_line(line, judged), words)
    rows = _rows(outcome)
    for row in rows:
        for detail in row["details"]:
            detail["question"] = shlex.split(detail["reproduce"])[-1]
            if encoder is not None and program is None:
                del detail["reproduce"]  # a command line cannot express the object
    return Report(outcome[0] == 0, rows)


def recorded(name: str) -> str:
    """The path of a shipped recorded trace, by its name: recorded("i386-lz77")."""
    folder = os.path.join(_pmusim.data_folder(), "isa-traces", "recorded")
    file = os.path.join(folder, name if name.endswith(".pmt") else name + ".pmt")
    if os.path.exists(file):
        return file
    names = sorted(entry[:-len(".pmt")] for entry in os.listdir(folder) if entry.endswith(".pmt"))
    raise Error(f"no recorded trace '{name}'; there are: {', '.join(names)}")


class Trace(_pmusim.Trace):
    """A trace in memory. Its columns are read-only NumPy arrays on that memory, not copies, with an entry for each line."""

    def __init__(self, file: Path, isa: str | None = None) -> None:
        super().__init__(fspath(file), isa)

    def __repr__(self) -> str:
        return f"<pmusim.Trace: {self.instructions} {self.isa} {self.unit} of {self.file}>"


def _settings(parameters: Parameters | None) -> Dict[str, str]:
    return {name: str(value) for name, value in (parameters or {}).items()}


def activity(target: str, trace: Paths, *, parameters: Parameters | None = None, cycles: int = 1024,
             warmup: int = 0) -> Iterator[Block]:
    """The activity that the core passes to a PMU (docs/activity.md), in blocks of about `cycles` each."""
    return iter(_pmusim.Activity(target, _files(trace), _settings(parameters), cycles, warmup))


class Monitor(_pmusim.Monitor):
    """A PMU beside a core on a trace, advanced manually: program(), step(), read(), write()."""

    def __init__(self, target: str, trace: Paths, *, parameters: Parameters | None = None, warmup: int = 0,
                 thread: int = 0) -> None:
        super().__init__(target, _files(trace), _settings(parameters), warmup, thread)
        self._target = target

    def __repr__(self) -> str:
        return f"<pmusim.Monitor: {self._target} in cycle {self.cycle}>"

    def program(self, registers: Union[Mapping[str, int], Encoding]) -> None:
        """Writes the result of encode(), or values by name, before the first step."""
        super().program_values(_values(registers))

    def step(self, cycles: int = 1) -> Interrupt | None:
        """Advances the core, at most to the next interrupt taken, which is returned: the caller is its handler."""
        return super().advance(cycles)
