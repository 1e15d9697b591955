"""Encoders written in Python: their requests and answers (docs/foreign-encoders.md)."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Protocol, Sequence, TextIO, Tuple, TypedDict, Union, cast

from pmusim import _pmusim
from pmusim._pmusim import Error


class _RequestedEvent(TypedDict, total=False):
    raw: str


class RequestedEvent(_RequestedEvent):
    name: str
    umasks: List[str]
    attrs: Dict[str, int]


class Request(TypedDict):
    """Events to be counted together."""

    v: int
    id: int
    target: str
    events: List[RequestedEvent]
    qualifiers: Dict[str, Any]
    sampling: bool


@dataclass
class Answer:
    """Registers in the order in which they are to be written, and the counter register of each event."""

    registers: Union[Mapping[str, int], Sequence[Tuple[str, int]]]
    counters: Sequence[str]
    dont_care: Mapping[str, int] = field(default_factory=dict)


class Unsupported(Exception):
    """The encoder does not know the event, attribute or target."""


class Invalid(Exception):
    """The request is illegal."""


class Encoder(Protocol):
    """The interface of encoders for `validate(encoder=...)` and `serve()`."""

    def encode(self, request: Request) -> Answer:
        """Answers a request; raises Unsupported or Invalid, with a message, if there is no answer."""
        ...


class OwnEncoder:
    """This project's encoder with the same interface: to wrap, to compare with, and to modify."""

    def encode(self, request: Request) -> Answer:
        answer = json.loads(_pmusim.own_answer(json.dumps(request)))
        if "error" in answer:
            raise (Unsupported if answer["error"] == "unsupported" else Invalid)(answer["message"])
        return Answer([(reg["name"], int(reg["value"], 16)) for reg in answer["registers"]], answer["counters"])


def _object_of(request: Request, encoder: Encoder) -> Dict[str, Any]:
    try:
        answer = encoder.encode(request)
    except Unsupported as error:
        return {"id": request["id"], "error": "unsupported", "message": str(error)}
    except Invalid as error:
        return {"id": request["id"], "error": "invalid", "message": str(error)}
    if not isinstance(answer, Answer):
        raise Error(f"the encoder returns {type(answer).__name__} for request {request['id']}, not pmusim.Answer")
    pairs = answer.registers.items() if isinstance(answer.registers, Mapping) else answer.registers
    registers = []
    for name, value in pairs:
        if value < 0:
            raise Error(f"answer {request['id']}: value {value} of {name} is negative; registers are unsigned")
        register = {"name": name, "value": hex(value)}
        if name in answer.dont_care:
            register["dont_care"] = hex(answer.dont_care[name])
        registers.append(register)
    return {"id": request["id"], "registers": registers, "counters": list(answer.counters)}


def answer_line(line: str, encoder: Encoder) -> str:
    """Converts a request line of the protocol to the answer line."""
    return json.dumps(_object_of(json.loads(line), encoder))


def serve(encoder: Encoder, requests: TextIO = sys.stdin, answers: TextIO = sys.stdout) -> None:
    """Answers the protocol's lines until the input ends, so that the encoder can be a program for `--encoder`."""
    for line in requests:
        try:
            request = json.loads(line)
            if not isinstance(request, dict) or "id" not in request:
                raise ValueError("no request")
        except ValueError:
            answers.write('{"id":null,"error":"invalid"}\n')
        else:
            if request.get("v") != 1:
                answer: Dict[str, Any] = {"id": request["id"], "error": "invalid", "message": "version 1 is spoken"}
            else:
                answer = _object_of(cast(Request, request), encoder)
            answers.write(json.dumps(answer) + "\n")
        answers.flush()
