"""Encoders that misbehave: encoder.py MODE [N]. They answer correctly, for the Athlon's event C0h, up to request N. An
encoder that has hung after that exits when it is started again in the same folder, so that a test waits only once."""
import json
import os
import signal
import sys
import time

signal.signal(signal.SIGPIPE, signal.SIG_DFL)
mode, good = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
hung = f"{mode}{good}.hung"
if good > 0 and os.path.exists(hung):
    sys.exit(3)
if mode in ("stubborn", "forks"):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
if mode == "forks" and os.fork() == 0:
    time.sleep(300)
if mode == "deaf":
    time.sleep(300)
if mode == "network":
    import socket
    socket.create_connection(("192.0.2.1", 9), 1)
if mode == "home":
    open(os.path.expanduser("~/written"), "w")
answers = 0
for line in sys.stdin:
    request = json.loads(line)
    answers += 1
    answer = {"id": request["id"], "registers": [], "counters": []}
    for number, event in enumerate(request["events"]):
        attributes = event["attrs"]
        user, kernel = attributes.get("u", 0), attributes.get("k", 0)
        if event["name"] != "RETIRED_INSTRUCTIONS" or not set(attributes) <= {"u", "k"} or "unavailable_counters" in request["qualifiers"]:
            answer = {"id": request["id"], "error": "unsupported"}
            break
        level = 3 if not user and not kernel else (1 if user else 0) | (2 if kernel else 0)
        answer["registers"].append({"name": f"PerfEvtSel{number}", "value": hex(0x4000C0 | level << 16)})
        answer["counters"].append(f"PerfCtr{number}")
    if answers > good:
        if mode == "dies":
            sys.exit(3)
        if mode == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        if mode in ("stubborn", "forks"):
            open(hung, "w").close()
            time.sleep(300)
        if mode == "closes":
            os.close(1)
            time.sleep(300)
        if mode == "floods":
            while True:
                os.write(1, b"x" * 65536)
        if mode == "many" and "registers" in answer:
            answer["registers"] = answer["registers"][:1] * 1000
        if mode == "counter" and "counters" in answer:
            answer["counters"] = ["PerfCtr77" for _ in answer["counters"]]
        if mode == "turn":
            answer["id"] += 1
        if mode == "terminal":
            print("not an answer", file=sys.stderr, flush=True)
    print(json.dumps(answer), flush=True)
