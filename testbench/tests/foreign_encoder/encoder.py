"""A small encoder for the Athlon that implements the protocol of `validate --encoder`, and breaks one rule of it.

    encoder.py right|wrong_umask|MODE

It knows two events, from AMD's publication 22007: C0h, and 42h with a unit mask for line states. MODE breaks
the run (crash, malformed, too_wide, silent) or a single rule (see BREAKS).
"""
import json
import os
import sys
import time

CODES = {"RETIRED_INSTRUCTIONS": 0xC0, "DATA_CACHE_REFILLS": 0x42}
UMASKS = {"L2_INVALID": 0x01, "L2_SHARED": 0x02, "L2_EXCLUSIVE": 0x04, "L2_OWNED": 0x08, "L2_MODIFIED": 0x10, "ALL": 0x1F}
ATTRIBUTES = {"u", "k", "plm", "c", "i", "e", "pc", "intr"}
# Modes that omit a rule.
BREAKS = {"any_event", "any_umask", "any_attribute", "any_qualifier", "any_target", "any_version", "any_key", "takes_unavailable",
          "takes_too_many", "nameless_sampled", "forgetful", "disorderly", "garbage_ends", "garbage_unanswered", "goes_on", "ends_badly"}


class Unsupported(Exception):
    pass


class Invalid(Exception):
    pass


def check(mode, name, good):
    """Applies a rule, unless the mode omits it."""
    if not good and mode != name:
        raise Unsupported(name)


def selector(event, mode):
    attrs = event["attrs"]
    check(mode, "any_attribute", set(attrs) <= ATTRIBUTES)
    check(mode, "any_umask", set(event["umasks"]) <= set(UMASKS))
    umask = 0
    for name in event["umasks"]:
        umask |= UMASKS.get(name, 0)
    if mode == "wrong_umask" and event["name"] == "DATA_CACHE_REFILLS":
        umask ^= 0x1F
    if "plm" in attrs:
        user, kernel = attrs["plm"] & 0xE, attrs["plm"] & 1
    else:
        user, kernel = attrs.get("u", 0), attrs.get("k", 0)
        if not user and not kernel:
            user = kernel = 1
    value = CODES.get(event["name"], 0) | umask << 8 | bool(user) << 16 | bool(kernel) << 17 | 1 << 22
    value |= bool(attrs.get("e", 0)) << 18 | bool(attrs.get("pc", 0)) << 19 | bool(attrs.get("i", 0)) << 23
    return value | attrs.get("c", 0) << 24


def encode(request, mode):
    check(mode, "any_version", request["v"] == 1)
    check(mode, "any_target", request["target"] == "athlon")
    check(mode, "any_qualifier", set(request["qualifiers"]) <= {"unavailable_counters"})
    if mode == "any_key" and set(request) > {"v", "id", "target", "events", "qualifiers", "sampling"}:
        raise Unsupported("a key")
    check(mode, "any_event", all(e["name"] in CODES and "raw" not in e for e in request["events"]))
    taken = request["qualifiers"].get("unavailable_counters", []) if mode != "takes_unavailable" else []
    free = [n for n in range(4) if n not in taken]
    if mode == "takes_too_many":
        free = [0] * 5
    if len(request["events"]) > len(free):
        raise Invalid("more events than counters")
    registers, counters = [], []
    for number, event in zip(free, request["events"]):
        registers.append({"name": f"PerfEvtSel{number}", "value": f"0x{selector(event, mode):x}"})
        counters.append(f"PerfCtr{number}")
    return {"registers": registers, "counters": counters}


def answer(line, mode):
    try:
        request = json.loads(line)
    except ValueError:
        return {"id": None, "error": "invalid", "message": "no JSON"}
    try:
        return {"id": request["id"], **encode(request, mode)}
    except Unsupported as refusal:
        return {"id": request["id"], "error": "unsupported", "message": str(refusal)}
    except Invalid as refusal:
        return {"id": request["id"], "error": "invalid", "message": str(refusal)}


def lines():
    """The lines of the standard input. Answers are written before the program waits for more."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace")
        sys.stdout.flush()
    if rest:
        yield rest.decode(errors="replace")


def main():
    mode, answers, held = sys.argv[1], 0, []
    for line in lines():
        reply = answer(line, mode)
        answers += 1
        if mode == "crash":
            sys.exit(3)
        if mode == "silent":
            time.sleep(60)
        if mode == "too_wide":
            reply = {"id": reply["id"], "registers": [{"name": "PerfCtr0", "value": "0x1" + 12 * "0"}], "counters": ["PerfCtr0"]}
        if mode == "nameless_sampled" and '"sampling":true' in line:
            reply.pop("counters", None)
        if mode == "forgetful" and "registers" in reply and answers > 1:
            reply["registers"] = []
        if mode in ("garbage_ends", "garbage_unanswered") and reply["id"] is None:
            if mode == "garbage_ends":
                sys.exit(0)
            continue
        if mode == "disorderly" and reply["id"] in (10, 11) and "registers" in reply:  # the later one first
            held.insert(0, reply)
            if reply["id"] == 10:
                continue
        for each in held or [reply]:
            print("}{" if mode == "malformed" else json.dumps(each))
        held = []
    if mode == "goes_on":
        time.sleep(60)
    sys.exit(7 if mode == "ends_badly" else 0)


main()
