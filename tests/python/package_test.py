#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package, as it is in the folder of the build: package_test.py SOURCE_FOLDER [MYPY]."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import warpspan

root, *mypy = sys.argv[1:]
del sys.argv[1:]
package = os.path.dirname(os.path.dirname(warpspan.__file__))


def sample(name: str) -> str:
    return os.path.join(root, "samples", name)


class PackageTest(unittest.TestCase):
    saxpy = dict(block=256, grid=4, arguments={3: 100000})

    def test_bound(self):
        bounds = warpspan.bound(sample("saxpy.ptx"), **self.saxpy)
        self.assertEqual(bounds.status, warpspan.Status.done)
        kernel = bounds.kernel()
        self.assertEqual(kernel.name, "saxpy")
        self.assertEqual(sum(part.cycles for part in kernel.parts), kernel.at_most.cycles)
        self.assertGreaterEqual(kernel.at_most.nanoseconds * 1000, kernel.at_most.picoseconds)
        report = json.loads(bounds.json())
        self.assertEqual(report["bound"]["cycles"], kernel.at_most.cycles)
        self.assertIn("at most", bounds.text())
        self.assertTrue(bounds._repr_html_().startswith("<pre>kernel saxpy"))

    def test_content_is_bounded_as_its_file(self):
        with open(sample("saxpy.ptx"), "rb") as file:
            content = file.read()
        of_file = warpspan.bound(sample("saxpy.ptx"), **self.saxpy)
        of_bytes = warpspan.bound((sample("saxpy.ptx"), content), **self.saxpy)
        of_text = warpspan.bound(("made.ptx", content.decode()), **self.saxpy)
        self.assertEqual(of_file.json(), of_bytes.json())
        self.assertEqual(of_text.kernel().at_most.cycles, of_file.kernel().at_most.cycles)

    def test_no_number_without_a_bound(self):
        bounds = warpspan.bound(sample("search.ptx"), block=128)
        self.assertEqual(bounds.status, warpspan.Status.not_bounded)
        self.assertEqual([kernel.name for kernel in bounds.unbounded], ["search"])
        with self.assertRaises(warpspan.Error) as raised:
            bounds.kernel()
        self.assertIn("no bound for the loop", str(raised.exception))
        self.assertTrue(raised.exception.messages[0].hint)
        with self.assertRaises(warpspan.Error):
            bounds.kernel("search")

    def test_one_bounded_and_one_not(self):
        bounds = warpspan.bound(sample("saxpy.ptx"), sample("search.ptx"), block=128,
                                loop_bounds={"saxpy:$L__BB0_2": 100})
        self.assertEqual(bounds.kernel("saxpy").name, "saxpy")
        with self.assertRaises(warpspan.Error):
            bounds.kernel("search")
        with self.assertRaises(warpspan.Error):
            bounds.kernel()

    def test_needs(self):
        needs = warpspan.needs(sample("search.ptx"), block=128)
        self.assertFalse(needs.kernels[0].are_met)
        missing = [loop.place for loop in needs.kernels[0].loops if loop.trip_count is None]
        self.assertEqual(missing, ["$L__BB0_4"])
        bounds = warpspan.bound(sample("search.ptx"), block=128, loop_bounds={missing[0]: 20})
        self.assertEqual(bounds.status, warpspan.Status.done)

    def test_wrong_use(self):
        bounds = warpspan.bound(sample("saxpy.ptx"), block=0)
        self.assertEqual(bounds.status, warpspan.Status.wrong_use)
        self.assertIn("--block", bounds.messages[0].text)
        with self.assertRaises(TypeError):
            warpspan.bound(sample("saxpy.ptx"), blocks=256)
        with self.assertRaises(TypeError):
            warpspan.bound(sample("saxpy.ptx"), block="256")

    def test_machines(self):
        self.assertIn("hopper", warpspan.machines())
        self.assertGreater(warpspan.machine("A100").multiprocessors, 100)
        with self.assertRaises(warpspan.Error):
            warpspan.machine("voodoo")

    def test_threads(self):
        expected = warpspan.bound(sample("saxpy.ptx"), **self.saxpy).json()
        found = []
        threads = [threading.Thread(target=lambda: found.append(warpspan.bound(sample("saxpy.ptx"), **self.saxpy).json()))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 8)

    def test_control_c(self):
        with tempfile.TemporaryDirectory() as folder:
            slow = os.path.join(folder, "slow")
            with open(slow, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nexec sleep 60\n")
            os.chmod(slow, 0o700)
            before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where a job is in the background
            self.addCleanup(signal.signal, signal.SIGINT, before)
            begin = time.monotonic()
            timer = threading.Timer(0.5, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                warpspan.bound(sample("saxpy.nvcc-sm_80.ptx"), assembler=slow, **self.saxpy)
            self.assertLess(time.monotonic() - begin, 30)

    @unittest.skipUnless(mypy, "mypy is not here")
    def test_types(self):
        environment = dict(os.environ, MYPYPATH=package)
        with tempfile.TemporaryDirectory() as cache:
            for words in (["-p", "warpspan"], ["--ignore-missing-imports", os.path.join(root, "examples", "sweep.py")]):
                subprocess.run([*mypy, "--strict", "--cache-dir", cache, *words], env=environment, check=True,
                               stdout=subprocess.PIPE)

    def test_stub_has_what_the_module_has(self):
        with open(os.path.join(package, "warpspan", "_warpspan.pyi"), encoding="utf-8") as file:
            stub = file.read()
        for name, member in vars(warpspan._warpspan).items():
            if name.startswith("_"):
                continue
            head = f"class {name}:" if isinstance(member, type) else f"def {name}("
            self.assertIn(head, stub)
            if not isinstance(member, type):
                continue
            body = stub.split(f"class {name}:\n")[1].split("\nclass ")[0].split("\ndef ")[0]
            for own in vars(member):
                if not own.startswith("_"):
                    self.assertRegex(body, rf"\b{own}\b")


if __name__ == "__main__":
    unittest.main()
