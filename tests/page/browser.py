# SPDX-License-Identifier: GPL-3.0-or-later
"""A Chromium without a window, driven by the DevTools protocol over two pipes: nothing but the standard library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"]
PATIENCE = 120  # seconds for an answer: machines that build are slow


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page at a time. As a context it ends the browser and removes its profile."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.to = os.pipe()
        self.of, from_browser = os.pipe()

        def take_pipes():
            # Moved out of the way first: one of them may be 3 or 4 already.
            a, b = os.dup2(to_browser, 30), os.dup2(from_browser, 31)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", "--hide-scrollbars", "--remote-debugging-pipe",
             "--user-data-dir=" + self.profile.name, "about:blank"],
            pass_fds=(3, 4), preexec_fn=take_pipes, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events = 0, b"", []
        target = self.call("Target.createTarget", session=None, url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", session=None, targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")
        self.call("Performance.enable", timeDomain="threadTicks")
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", session=None)
        except (OSError, TimeoutError):
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.of)
        self.profile.cleanup()

    def read(self, until):
        """The next message that the browser sends."""
        while b"\0" not in self.buffer:
            if not select.select([self.of], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.of, 1 << 20)
            if not part:
                raise OSError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=True, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = self.session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.to, rest):]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.read(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise OSError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, event):
        until = time.monotonic() + PATIENCE
        while not any(one.get("method") == event for one in self.events):
            self.events.append(self.read(until))

    def look(self, width, dark=False, height=900, script=True, paper=False):
        """How the next pages are shown."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media="print" if paper else "screen",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)

    def open(self, path):
        """Loads a file. What the browser complains about meanwhile is in complaints()."""
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path).replace("%", "%25").replace("#", "%23"))
        self.wait_for("Page.loadEventFired")

    def complaints(self):
        found = []
        for event in self.events:
            params = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("text", "exception"))
            elif event.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                found.append("console: " + str(params["args"]))
            elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif event.get("method") == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file://", "data:")):
                    found.append("asks the network for " + url)
        return found

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise OSError(result["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return result["result"].get("value")

    def seconds_of_work(self):
        """Time that the processor worked for the page so far: less than what passed where others use it too."""
        metrics = {one["name"]: one["value"] for one in self.call("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]

    def picture(self, path, whole=False, most=16000):
        """What is on the screen, or the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], most), "scale": 1}
        result = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                           **({"clip": clip} if whole else {}))
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["data"]))

    def print(self, path):
        """As a PDF, on paper of A4."""
        result = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["data"]))
