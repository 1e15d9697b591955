"""The values of the module: those of docs/json.md, with register values and addresses as integers."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple, TypedDict

Outcome = Tuple[int, str, str]
"""Exit code, standard output and standard error of a command."""


class Register(TypedDict):
    space: str
    number: int
    name: str
    value: int


class TargetInfo(TypedDict):
    target: str
    isa: str
    counters: int
    width: int
    description: str


class ParameterInfo(TypedDict):
    target: str
    name: str
    default: str
    legal: str
    unit: str
    confirmed: bool
    meaning: str
    source: str


class CounterCode(TypedDict):
    counter: int
    code: int


class UnitMask(TypedDict):
    name: str
    code: int
    description: str
    default: bool


class _EventInfo(TypedDict, total=False):
    filters: List[str]
    thread_type: str
    unit_mask: int
    event_set: str


class EventInfo(_EventInfo):
    target: str
    event: str
    description: str
    source: str
    confirmed: bool
    max_per_cycle: int
    attributes: List[str]
    counters: List[CounterCode]
    unit_masks: List[UnitMask]


class EncodedEvent(TypedDict):
    event: str
    counter: str


class Range(TypedDict):
    start: int
    end: int


class _Encoding(TypedDict, total=False):
    images: List[Register]
    code_ranges: List[Range]
    data_ranges: List[Range]
    sample_registers: List[str]
    warnings: List[str]


class Encoding(_Encoding):
    target: str
    events: List[EncodedEvent]
    registers: List[Register]


class Field(TypedDict):
    field: str
    bits: str
    value: int
    meaning: str


class DecodedRegister(Register):
    fields: List[Field]


class Selection(TypedDict):
    counter: str
    event: str
    known: bool
    notes: List[str]


class Decoding(TypedDict):
    registers: List[DecodedRegister]
    selections: List[Selection]


class Filters(TypedDict, total=False):
    """Filters of an IA-64 run, in the words of the command's options (docs/encoder.md, "Qualifiers")."""

    irange: List[str]
    drange: List[str]
    opcode: List[str]
    ear: List[str]
    btb: List[str]
    etb: List[str]
    ipear: List[str]
    fetch: List[str]
    no_fine: bool
    inverse: bool


class _Count(TypedDict, total=False):
    notes: List[str]
    thread: int
    wraps: int
    unit: str
    interrupts: int
    period: int
    driver: int
    pending: bool
    lost: int
    intervals: List[int]


class Count(_Count):
    event: str
    counter: str
    value: int


class _ProfiledEvent(TypedDict, total=False):
    period: int
    samples: int
    estimated: int


class ProfiledEvent(_ProfiledEvent):
    event: str
    counter: str
    unit: str
    counted: int


class Stall(TypedDict):
    """A stall event of the target, which is counted without a request."""

    title: str
    event: str
    cycles: int


class _EventAmounts(TypedDict, total=False):
    cumulative_share: float | None
    samples: int
    estimated: int
    sampled_share: float | None
    difference: float | None


class EventAmounts(_EventAmounts):
    """The amounts of an event in a row; shares in percent, None if the total is 0."""

    exact: int
    exact_share: float | None


class _Amounts(TypedDict):
    cycles: int
    cycles_share: float | None
    instructions: int
    cpi: float | None
    events: List[EventAmounts]
    stalls: List[int]


class _Place(TypedDict, total=False):
    thread: int
    file: str | None
    line: int | None
    ip: int | None
    slot: int | None
    instruction: str


class ProfileRow(_Amounts, _Place):
    """A function, line or instruction; `function` is None for amounts that no instruction caused."""

    function: str | None


class _Profile(TypedDict, total=False):
    trace: str
    traces: List[str]
    warnings: List[str]


class ProfileReport(_Profile):
    target: str
    cycles: int
    instructions: int
    events: List[ProfiledEvent]
    stalls: List[Stall]
    by: str
    rows: List[ProfileRow]
    rows_in_all: int


class AnnotatedRow(_Amounts, _Place):
    source: str | None


class AnnotatedFunction(_Amounts, _Place):
    function: str
    rows: List[AnnotatedRow]


class Annotation(_Profile):
    target: str
    cycles: int
    instructions: int
    events: List[ProfiledEvent]
    stalls: List[Stall]
    functions: List[AnnotatedFunction]


class Interrupt(TypedDict):
    """The state for the handler of an interrupt; `ip` is None before the first instruction has retired."""

    cycle: int
    requested: int
    ip: int | None
    last_ip: int
    cpl: int
    thread: int
    process: int


class CounterProbe(TypedDict):
    """A counter in the last cycle: the value of its event line, and its effect."""

    occurrences: int
    condition: bool
    edge_flop: bool
    value: int
