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
    def hooks(self):
        texts = re.split(r"^- id: ", text_of(".pre-commit-hooks.yaml"), flags=re.M)[1:]
        return {text.split("\n")[0]: text for text in texts}

    def test_the_hooks_run_where_kernels_may_have_changed(self):
        sources = ("k.cu", "source/k.cuh", "k.cubin", "k.fatbin")
        for hook, files in {"warpspan-check": ("k.ptx", "k.ll", "budgets.toml", "gates/budgets.toml", "baseline.json"),
                            "warpspan-resources": ("resources.toml", "gates/resources.json")}.items():
            pattern = re.search(r"files: '(.*)'", self.hooks()[hook])[1]
            for name in sources + files:
                self.assertRegex(name, pattern)
            for name in ("k.cpp", "README.md", "k.cu.orig", "notes.toml", "package.json"):
                self.assertNotRegex(name, pattern)
            self.assertIn("pass_filenames: false", self.hooks()[hook])

    def test_the_hooks_are_commands_that_pass_and_fail(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copy(root / "tests/frontend/object/data/kernels.sm_80.cubin", folder / "k.cubin")
            (folder / "budgets.toml").write_text("[[budget]]\nkernel = 'chosen'\nfile = 'k.cubin'\nmax_registers = 16\n")
            (folder / "resources.toml").write_text("[[budget]]\nkernel = '*'\nfile = 'k.cubin'\n")
            update = run(program, "check", "--budgets", "resources.toml", "--update", "--each", "--resources", "--baseline",
                         "resources.json", cwd=folder)
            self.assertEqual(update.returncode, 0, update.stdout)
            hooks = self.hooks()
            self.assertEqual(sorted(hooks), ["warpspan-check", "warpspan-resources"])
            variables = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}")
            for text in hooks.values():
                words = re.search(r"entry: (.*)", text)[1].split() + re.search(r"args: \[(.*)\]", text)[1].split(", ")
                self.assertEqual(run(*words, cwd=folder, env=variables).returncode, 0, words)
                budgets = folder / words[words.index("--budgets") + 1]
                budgets.write_text(re.sub(r"max_registers = \d+", "max_registers = 1", budgets.read_text()))
                self.assertEqual(run(*words, cwd=folder, env=variables).returncode, 1, words)


class ActionTest(unittest.TestCase):
    """The steps of action.yml, as GitHub runs them: inputs become variables, and each 'run' a script of bash."""

    def steps(self, **given):
        folder, action = self.folder, text_of("action.yml")
        inputs = dict(re.findall(r"^  ([\w-]+):\n    description: .*\n    default: (.*)$", action, re.M))
        inputs = {name: value.strip("'") for name, value in inputs.items()}
        given = {name.replace("_", "-"): value for name, value in given.items()}
        self.assertLessEqual(set(given), set(inputs))
        self.assertEqual(set(re.findall(r"inputs\.([\w-]+)", action)), set(inputs))  # none is declared for nothing
        inputs.update(given)
        (folder / "summary.md").write_text("")
        for step in action.split("    - name: ")[1:]:
            if "inputs.base != ''" in step and not inputs["base"]:
                continue
            variables = dict(os.environ, GITHUB_STEP_SUMMARY=str(folder / "summary.md"), GITHUB_ACTION_PATH=str(root),
                             GITHUB_PATH=str(folder / "path"), PATH=f"{program.parent}:{os.environ['PATH']}")
            for name, value in re.findall(r"^        (\w+): \$\{\{ inputs\.([\w-]+) \}\}$", step, re.M):
                variables[name] = inputs[value]
            script = re.search(r"^      run: (.*)$", step, re.M)[1]
            yield step.split("\n")[0], run("bash", "-eo", "pipefail", "-c", script, cwd=folder, env=variables)

    def check(self, **inputs):
        return dict(self.steps(files="blur.ptx", **inputs))["Check budgets"]

    def summary(self):
        return (self.folder / "summary.md").read_text()

    # The kernel with fences in each turn of its loop: slower, and within a wide budget.
    def grow(self):
        kernel = self.folder / "blur.ptx"
        kernel.write_text(kernel.read_text().replace("$L__BB0_2:\n", "$L__BB0_2:\n" + 20 * "\tmembar.gl;\n", 1))
        budgets = self.folder / "budgets.toml"
        budgets.write_text(budgets.read_text().replace("25 ms", "1 s"))

    def write_baseline(self, name="baseline.json"):
        made = run(program, "check", "blur.ptx", "--budgets", "budgets.toml", "--baseline", name, "--update-baseline",
                   cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stdout)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for file in (root / "samples/cmake-gate").iterdir():
            shutil.copy(file, self.folder)

    def test_a_change_within_its_budget(self):
        done = dict(self.steps(files="blur.ptx"))
        self.assertEqual([step.returncode for step in done.values()], [0, 0], done)
        self.assertIn("blur", self.summary())

    def test_a_change_over_its_budget_is_annotated_and_compared(self):
        (self.folder / "base").mkdir()
        shutil.copy(self.folder / "blur.ptx", self.folder / "base/blur.ptx")
        launch = "--kernel blur --block 128 --grid 8 --arg 2=1024 --arg 3=1024"
        done = dict(self.steps(files="blur.ptx", budgets="strided.toml", base="base/blur.ptx", launch=launch))
        self.assertEqual(done["Check budgets"].returncode, 1)
        self.assertIn("::error file=", done["Check budgets"].stdout)
        self.assertEqual(done["Compare with the base"].returncode, 0, done["Compare with the base"].stdout)
        self.assertIn("blur_strided", self.summary())  # of the check
        self.assertGreater(self.summary().count("| "), 10)

    def test_growth_within_a_wide_budget_is_told_and_fails_where_it_is_asked_for(self):
        self.write_baseline("base line.json")
        held = {"baseline": "base line.json", "fail_on_growth": "1%"}
        self.assertEqual(self.check(**held).returncode, 0)
        budgets = self.folder / "budgets.toml"
        self.grow()
        self.assertEqual(self.check().returncode, 0)
        self.assertEqual(self.check(baseline="base line.json").returncode, 0)
        self.assertRegex(self.summary(), "### Since the baseline")
        grown = self.check(**held)
        self.assertEqual(grown.returncode, 1, grown.stdout)
        self.assertIn("::error file=", grown.stdout)
        self.assertIn("rew", grown.stdout)
        self.assertRegex(self.summary(), "### Since the baseline")
        budgets.write_text(budgets.read_text().replace("1 s", "17.74 ms"))
        missed = self.check(**held)
        self.assertEqual(missed.returncode, 1, missed.stdout)
        self.assertIn("Grew most: blur.cu:", missed.stdout)

    def test_no_wrong_baseline_passes(self):
        self.write_baseline()
        baseline = self.folder / "baseline.json"
        right = baseline.read_text()
        wrong = {"empty": "", "cut": right[: len(right) // 2], "no kernels": re.sub(r"\n.*\"kernel\".*", "", right),
                 "other figures": re.sub(r'"bound":(\d)', r'"bound":9\1', right, count=1)}
        for name, text in wrong.items():
            with self.subTest(name):
                self.assertNotEqual(text, right)
                baseline.write_text(text)
                self.assertNotIn(self.check(baseline="baseline.json", fail_on_growth="1%").returncode, (0, 1))
        baseline.unlink()
        self.assertEqual(self.check(baseline="baseline.json").returncode, 2)
        self.assertEqual(self.check(fail_on_growth="1%").returncode, 2)  # of what?
        self.assertEqual(self.check(baseline="baseline.json", fail_on_growth="a little").returncode, 2)

    def test_registers_of_machine_code_are_gated_by_themselves(self):
        shutil.copy(root / "tests/frontend/object/data/kernels.sm_80.cubin", self.folder / "blur.cubin")
        (self.folder / "resources.toml").write_text("[[budget]]\nkernel = '*'\n")
        made = run(program, "check", "blur.cubin", "--budgets", "resources.toml", "--update", "--each", "--resources",
                   "--baseline", "resources.json", cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stdout)
        inputs = {"files": "blur.cubin", "budgets": "resources.toml", "baseline": "resources.json"}
        self.assertEqual(dict(self.steps(**inputs))["Check budgets"].returncode, 0)
        limits = self.folder / "resources.toml"
        limits.write_text(re.sub(r"max_registers = \d+", "max_registers = 1", limits.read_text(), count=1))
        over = dict(self.steps(**inputs))["Check budgets"]
        self.assertEqual(over.returncode, 1, over.stdout)
        self.assertIn("registers", over.stdout)


if __name__ == "__main__":
    unittest.main()
