"""Shared parts of the Python adapters: the loop of docs/foreign-encoders.md, and refusals."""
import json
import sys


class Refusal(Exception):
    """An answer that is an error: kind is "unsupported" (unknown to the encoder) or "invalid" (not legal)."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def unsupported(message):
    raise Refusal("unsupported", message)


def invalid(message):
    raise Refusal("invalid", message)


def free_counters(request, count):
    """Numbers of the counters that a request leaves available; other qualifiers are refused."""
    for name in request.get("qualifiers", {}):
        if name != "unavailable_counters":
            unsupported(f"no qualifier {name}")
    taken = request.get("qualifiers", {}).get("unavailable_counters", [])
    return [number for number in range(count) if number not in taken]


def text_of(event):
    """The event string of an event, its unit masks and attributes in alphabetical order."""
    if "raw" in event:
        return event["raw"]
    attributes = [f"{name}={value}" for name, value in sorted(event.get("attrs", {}).items())]
    return ":".join([event["name"], *sorted(event.get("umasks", [])), *attributes])


def answer(line, encode):
    """The answer line for a request line: the result of encode(request), a Refusal, or an error for an invalid request."""
    number = None
    try:
        request = json.loads(line)
        number = request["id"]
        if request["v"] != 1:
            unsupported("protocol version is 1")
        return {"id": number, **encode(request)}
    except Refusal as refusal:
        return {"id": number, "error": refusal.kind, "message": str(refusal)}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return {"id": number, "error": "invalid", "message": f"no request: {error!r}"}


def serve(encode):
    """Answers every line of standard input. encode(request) returns {"registers": [...], "counters": [...]}."""
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(line, encode)), flush=True)
