#!/usr/bin/env python3
"""Tests `pmusim lab`: its server, and its page in a headless Chromium at five sizes.

  test_server.py [--pmusim FILE] [--browser chromium] [--pictures FOLDER]

Without a browser the page is not tested (exit status 77), unless PMUSIM_REQUIRE_TOOLS is set.
"""

import argparse
import http.client
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

import page_checks
from chromium import Chromium, status_without

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


class Lab:
    """`pmusim lab --no-browser` while the object is in use."""

    def __init__(self, pmusim, *words):
        self.process = subprocess.Popen([pmusim, "lab", "--no-browser", *words], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.parts = urllib.parse.urlsplit(self.address)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.status = self.process.wait()

    def ask(self, path, method="GET", body=None, **headers):
        """(status, content) of a request; None as Host leaves the right one."""
        connection = http.client.HTTPConnection(self.parts.hostname, self.parts.port)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def call(self, request):
        status, content = self.ask(self.parts.path + "call?page=test", "POST", json.dumps(request).encode())
        size, = struct.unpack_from("<I", content)
        return json.loads(content[4:4 + size]) if status == 200 else {"status": status}


def check_guards(lab):
    """Only a page of this server, under its name and with its token, gets an answer."""
    path, port = lab.parts.path, lab.parts.port
    good = json.dumps({"op": "targets"}).encode()
    expect(lab.ask(path)[0] == 200, "the page is refused")
    expect(lab.ask(path, Host=f"localhost:{port}")[0] == 200, "localhost is refused")
    expect(lab.ask(path + "call?page=1", "POST", good, Origin=f"http://127.0.0.1:{port}")[0] == 200, "the page's own origin is refused")
    for what, status, content in [
            ("no token", *lab.ask("/")),
            ("another token", *lab.ask("/" + "0" * 32 + "/")),
            ("no token for a request", *lab.ask("/call?page=1", "POST", good)),
            ("a foreign name", *lab.ask(path, Host=f"attacker.example:{port}")),
            ("a name without a port", *lab.ask(path, Host="127.0.0.1")),
            ("a foreign origin", *lab.ask(path + "call?page=1", "POST", good, Origin="http://attacker.example")),
            ("the origin of a file", *lab.ask(path + "call?page=1", "POST", good, Origin="null")),
            ("the origin of another port", *lab.ask(path + "call?page=1", "POST", good, Origin=f"http://127.0.0.1:{port + 1}"))]:
        expect(status == 403 and content.count(b"\n") == 1, f"{what}: status {status}, expected 403 and one line")
        expect(b"athlon" not in content, f"{what}: gets content")
    expect(lab.ask(path + "page/../../../README.md")[0] in (403, 404), "a path leads out of the page's files")


def check_requests(lab, pmusim):
    """The counts are those of `pmusim run`; wrong requests are answered with a sentence."""
    expect(lab.call({"op": "load", "program": "trace-i386-units", "target": "athlon"}) == {}, "a recorded trace is not loaded")
    begun = lab.call({"op": "begin", "threads": 1})
    encoded = lab.call({"op": "encode", "target": "athlon", "events": ["RETIRED_INSTRUCTIONS"]})
    ran = lab.call({"op": "run", "target": "athlon", "registers": encoded["registers"]})
    run = json.loads(subprocess.run([pmusim, "run", "-t", "athlon", "--trace", "i386-units", "--roi", "0:20000", "-e", "RETIRED_INSTRUCTIONS",
                                     "--format", "json"], capture_output=True, check=True).stdout)
    expect(ran["threads"][0]["counts"][0]["value"] == run["counts"][0]["value"], "the count is not that of pmusim run")
    expect(begun["cycles"] == run["cycles"], "the cycles are not those of pmusim run")
    modes = {one["name"]: one["modes"] for one in lab.call({"op": "describe", "target": "athlon"})["events"]}
    expect(modes["RETIRED_INSTRUCTIONS"] == ["k", "u"], "an event of the Athlon does not count in both modes")
    for request, says in [({"op": "load", "program": "x", "target": "athlon"}, "there is no program x"),
                          ({"op": "load", "program": "trace-i386-units", "target": "montecito"}, "does not run"),
                          ({"op": "none"}, "there is no request 'none'"), ({}, "op")]:
        expect(says in lab.call(request).get("error", ""), f"{request}: expected an error with '{says}'")
    expect("error" in json.loads(lab.ask(lab.parts.path + "call?page=1", "POST", b"{")[1][4:].split(b"}")[0] + b"}"), "half a request has an answer")


def check_command(pmusim, scratch):
    """Wrong input is one line and exit status 2."""
    (scratch / "text").write_text("no trace\n")
    (scratch / "half.pmt").write_bytes((ROOT / "isa-traces/recorded/i386-units.pmt").read_bytes()[:1500])
    for words, says in [(["no-such-trace"], "no-such-trace"), (["-t", "athlon", "ppc-lz77"], "expected -t ppc750g"),
                        (["-t", "athlno"], "did you mean 'athlon'"), (["--roi", "5:2", "i386-lz77"], "BEGIN must be below END"),
                        (["--roi", "0:10", ], "name one"), (["--roi", "0:900000", "i386-lz77"], "at most 500000"),
                        ([str(scratch / "text")], "text"), ([str(scratch / "text"), "word"], "ELF"), (["/bin/true"], "another machine"),
                        (["--roi", "900000000:900000010", "i386-units"], "i386-units: "), ([str(scratch / "half.pmt")], "half.pmt")]:
        done = subprocess.run([pmusim, "lab", "--no-browser", *words], capture_output=True, text=True, timeout=60)
        expect(done.returncode == 2 and done.stderr.count("\n") == 1 and says in done.stderr,
               f"lab {' '.join(words)}: status {done.returncode}: {done.stderr.strip()}; expected '{says}'")


def check_browser(pmusim, scratch):
    """The browser gets the address; without xdg-open a message says so."""
    folder = scratch / "bin"
    folder.mkdir()
    for there in (False, True):
        if there:
            (folder / "xdg-open").write_text(f'#!/bin/sh\ncd "{scratch}" && echo "$1" >opened.new && mv opened.new opened\n')
            (folder / "xdg-open").chmod(0o755)
        process = subprocess.Popen([pmusim, "lab"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "PATH": f"{folder}:/bin" if there else str(folder)})
        address = process.stdout.readline().strip()
        for _ in range(500):
            if not there or (scratch / "opened").exists():
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
        expect(process.returncode == 0, f"Ctrl-C: exit status {process.returncode}")
        if there:
            expect((scratch / "opened").exists() and (scratch / "opened").read_text().strip() == address, "the browser does not get the address")
        else:
            expect("xdg-open is missing" in told and told.count("\n") == 1, f"without xdg-open: '{told}'")


def check_program(pmusim, scratch, browser):
    """A program is recorded and shown, and its trace is removed at the end."""
    if not shutil.which("i686-linux-gnu-gcc") or not shutil.which("qemu-i386"):
        return print("left out: a program of the user; i686-linux-gnu-gcc or qemu-i386 is missing")
    (scratch / "own.s").write_text(".globl _start\n_start: mov $99, %ecx\nagain: dec %ecx\njnz again\nmov $1, %eax\nxor %ebx, %ebx\nint $0x80\n")
    subprocess.run(["i686-linux-gnu-gcc", "-nostdlib", "-static", "-o", scratch / "own", scratch / "own.s"], check=True)
    before = set(pathlib.Path(tempfile.gettempdir()).iterdir())
    with Lab(pmusim, str(scratch / "own")) as lab:
        browser.open(lab.address)
        title = browser.evaluate("document.getElementById('program').selectedOptions[0].textContent")
        expect(title == "own", f"the page begins with '{title}', not with the user's program")
        page_checks.wait(browser, "document.getElementById('span').textContent")
        count = browser.evaluate("document.querySelector('[data-counter]').textContent")
        # mov, 99 times dec and jnz, and three instructions for the system call
        expect(count == str(1 + 99 * 2 + 3), f"the user's program of 202 instructions counts {count}")
    expect(lab.status == 0, f"the command ends with status {lab.status}")
    left = [one for one in set(pathlib.Path(tempfile.gettempdir()).iterdir()) - before if one.name.startswith("own")]
    expect(not left, f"the trace is left behind: {left}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pmusim", default=ROOT / "build/release/bin/pmusim")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--pictures", type=pathlib.Path, help="keeps the screenshots here")
    parser.add_argument("--some", action="store_true", help="fewer sizes of the window and lessons; scripts/test-lab has all")
    options = parser.parse_args()
    missing = status_without(options.browser)
    with tempfile.TemporaryDirectory(prefix="pmusim lab ") as folder:
        scratch = pathlib.Path(folder)
        check_command(options.pmusim, scratch)
        check_browser(options.pmusim, scratch)
        with Lab(options.pmusim) as lab:
            check_guards(lab)
            check_requests(lab, options.pmusim)
            if missing is None:
                with Chromium(options.browser, size=(1366, 768)) as browser:
                    problems.extend(page_checks.check(browser, lab.address, options.pictures, options.some))
                    check_program(options.pmusim, scratch, browser)
        expect(lab.status == 0, f"the command ends with status {lab.status}")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else missing or 0)


if __name__ == "__main__":
    main()
