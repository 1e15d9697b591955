"""A small encoder for the Athlon that speaks the protocol of `validate --encoder`.

    encoder.py right|wrong_umask|crash|malformed|incomplete|wrong_id|unknown_register|silent

It knows two events, from AMD's publication 22007: C0h, and 42h with unit mask 02h for lines in state S.
The modes behind `right` break one thing each.
"""
import json
import sys
import time

CODES = {"RETIRED_INSTRUCTIONS": 0xC0, "DATA_CACHE_REFILLS": 0x42}
UMASKS = {"L2_INVALID": 0x01, "L2_SHARED": 0x02, "L2_EXCLUSIVE": 0x04, "L2_OWNED": 0x08, "L2_MODIFIED": 0x10, "ALL": 0x1F}


def selector(event, mode):
    attrs = event["attrs"]
    umask = 0
    for name in event["umasks"]:
        umask |= UMASKS[name]
    if mode == "wrong_umask" and event["name"] == "DATA_CACHE_REFILLS":
        umask ^= 0x1F
    if "plm" in attrs:
        user, kernel = attrs["plm"] & 0xE, attrs["plm"] & 1
    else:
        user, kernel = attrs.get("u", 0), attrs.get("k", 0)
        if not user and not kernel:
            user = kernel = 1
    value = CODES[event["name"]] | umask << 8 | bool(user) << 16 | bool(kernel) << 17 | 1 << 22
    value |= bool(attrs.get("e", 0)) << 18 | bool(attrs.get("pc", 0)) << 19 | bool(attrs.get("i", 0)) << 23
    return value | attrs.get("c", 0) << 24


def answer(request, mode):
    known = all(e["name"] in CODES and "raw" not in e for e in request["events"])
    if not known:
        return {"id": request["id"], "error": "unsupported", "message": "not in the table"}
    taken = request["qualifiers"].get("unavailable_counters", [])
    free = [n for n in range(4) if n not in taken]
    registers, counters = [], []
    for number, event in zip(free, request["events"]):
        registers.append({"name": f"PerfEvtSel{number}", "value": f"0x{selector(event, mode):x}"})
        counters.append(f"PerfCtr{number}")
    return {"id": request["id"], "registers": registers, "counters": counters}


def main():
    mode = sys.argv[1]
    for line in sys.stdin:
        reply = answer(json.loads(line), mode)
        if mode == "crash":
            sys.exit(3)
        if mode == "silent":
            time.sleep(60)
        if mode == "wrong_id":
            reply["id"] += 1
        if mode == "unknown_register":
            reply = {"id": reply["id"], "registers": [{"name": "MMCR9", "value": "0x0"}], "counters": ["PerfCtr0"]}
        if mode == "incomplete":
            reply = {"id": reply["id"], "registers": []}
        print("}{" if mode == "malformed" else json.dumps(reply), flush=True)


main()
