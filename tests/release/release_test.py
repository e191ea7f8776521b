#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a release has to agree in, and what users run without building: release_test.py WARPSPAN SOURCE_FOLDER."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
del sys.argv[1:]


def text_of(name):
    return (root / name).read_text()


def run(*words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


class VersionTest(unittest.TestCase):
    version = re.search(r"project\(warpspan VERSION (\S+)", text_of("CMakeLists.txt"))[1]

    def test_all_places_have_one_version(self):
        self.assertEqual(run(program, "--version").stdout.strip(), "warpspan " + self.version)
        self.assertEqual(re.search(r"^## (\S+)", text_of("CHANGELOG.md"), re.M)[1], self.version)
        self.assertEqual(re.search(r"^version: (\S+)", text_of("CITATION.cff"), re.M)[1], self.version)
        header = text_of("include/warpspan/warpspan.hpp")
        parts = [re.search(rf"WARPSPAN_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH")]
        self.assertEqual(".".join(parts), self.version)
        for page in ("action.yml", "docs/ci.md"):
            self.assertIn(f"warpspan@v{self.version}", text_of(page))

    def test_a_tag_is_its_version_and_has_changes(self):
        tags = run("git", "-C", root, "tag", "--points-at", "HEAD").stdout.split()
        for tag in tags:
            self.assertEqual(tag, "v" + self.version)
            self.assertNotIn("(not released)", re.search(r"^## .*", text_of("CHANGELOG.md"), re.M)[0])


class LicenceTest(unittest.TestCase):
    def test_each_source_has_its_line(self):
        checked = run(root / "scripts/license-lines", "--check")
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_calibration_is_its_users(self):
        for words in ([], ["--target", "sm_80"]):
            made = run(program, "calibrate", *words).stdout
            self.assertEqual(re.findall(r"SPDX-License-Identifier: (.*)", made), ["MIT-0"])
            self.assertNotIn("GPL", made)
            head = " ".join(re.sub(r"^// ?", "", made.split("\n\n")[0], flags=re.M).split())
            self.assertIn(" ".join(text_of("LICENSES/MIT-0.txt").split()), head)


class HookTest(unittest.TestCase):
    def test_the_hook_runs_where_kernels_may_have_changed(self):
        hook = text_of(".pre-commit-hooks.yaml")
        pattern = re.search(r"files: '(.*)'", hook)[1]
        for name in ("k.cu", "source/k.cuh", "k.ptx", "k.cubin", "budgets.toml", "gates/budgets.toml", "k.ll"):
            self.assertRegex(name, pattern)
        for name in ("k.cpp", "README.md", "k.cu.orig", "notes.toml"):
            self.assertNotRegex(name, pattern)
        self.assertIn("pass_filenames: false", hook)


class ActionTest(unittest.TestCase):
    """The steps of action.yml, as GitHub runs them: inputs become variables, and each 'run' a script of bash."""

    def steps(self, folder, **inputs):
        variables = dict(os.environ, GITHUB_STEP_SUMMARY=str(folder / "summary.md"), GITHUB_ACTION_PATH=str(root),
                         GITHUB_PATH=str(folder / "path"), PATH=f"{program.parent}:{os.environ['PATH']}")
        for name in ("files", "budgets", "options", "base", "launch"):
            variables[name.upper()] = inputs.get(name, "budgets.toml" if name == "budgets" else "")
        for step in text_of("action.yml").split("    - name: ")[1:]:
            if "inputs.base != ''" in step and not inputs.get("base"):
                continue
            script = re.search(r"^      run: (.*)$", step, re.M)[1]
            yield step.split("\n")[0], run("bash", "-eo", "pipefail", "-c", script, cwd=folder, env=variables)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for file in (root / "samples/cmake-gate").iterdir():
            shutil.copy(file, self.folder)

    def test_a_change_within_its_budget(self):
        done = dict(self.steps(self.folder, files="blur.ptx"))
        self.assertEqual([step.returncode for step in done.values()], [0, 0], done)
        self.assertIn("blur", (self.folder / "summary.md").read_text())

    def test_a_change_over_its_budget_is_annotated_and_compared(self):
        (self.folder / "base").mkdir()
        shutil.copy(self.folder / "blur.ptx", self.folder / "base/blur.ptx")
        launch = "--kernel blur --block 128 --grid 8 --arg 2=1024 --arg 3=1024"
        done = dict(self.steps(self.folder, files="blur.ptx", budgets="strided.toml", base="base/blur.ptx", launch=launch))
        self.assertEqual(done["Check budgets"].returncode, 1)
        self.assertIn("::error file=", done["Check budgets"].stdout)
        self.assertEqual(done["Compare with the base"].returncode, 0, done["Compare with the base"].stdout)
        summary = (self.folder / "summary.md").read_text()
        self.assertIn("blur_strided", summary)  # of the check
        self.assertGreater(summary.count("| "), 10)


if __name__ == "__main__":
    unittest.main()
