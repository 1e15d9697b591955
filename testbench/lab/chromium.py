"""A headless Chromium, controlled through a pipe with the DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


SKIPPED = 77  # SKIP_RETURN_CODE of tests


def status_without(program):
    """None if the browser is there; else the exit status of a test that needs it, after a message."""
    if shutil.which(program):
        return None
    print(f"{program} is missing: scripts/install-dependencies --test installs it")
    return 1 if os.environ.get("PMUSIM_REQUIRE_TOOLS") else SKIPPED


class Chromium:
    """One page. All errors raise RuntimeError."""

    def __init__(self, program="chromium", size=(1600, 1000)):
        self.profile = tempfile.TemporaryDirectory(prefix="pmusim-chromium-", ignore_cleanup_errors=True)
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def place():  # the protocol's descriptors are 3 and 4
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             f"--user-data-dir={self.profile.name}", f"--window-size={size[0]},{size[1]}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=place,
            close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.out)
        self.process.terminate()
        self.process.wait()
        os.close(self.into)
        self.profile.cleanup()

    def _next(self):
        while b"\0" not in self.buffer:
            chunk = os.read(self.into, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser has gone")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != self.number:
                continue  # an event
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def open(self, address):
        """Returns when the page has set `document.documentElement.dataset.ready`, to a value or an error."""
        self.call("Page.navigate", url=address)
        self.evaluate("""new Promise((done) => {
          const look = () => document.documentElement?.dataset.ready ? done() : setTimeout(look, 5);
          look();
        })""")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def media(self, medium="screen", dark=False):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=medium, features=[scheme])

    def screenshot(self, file):
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
