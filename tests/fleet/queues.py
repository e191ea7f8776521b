#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the shards that docs/fleets.md shows with GNU parallel and as a job array of Slurm, on a Slurm of its own on this
machine, and holds what 'warpspan merge' makes of them against one run: queues.py WARPSPAN SOURCE_FOLDER [parallel|slurm].

A queue that is not installed, or that does not start here, is skipped, with the reason.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SHARDS = 8
START_SECONDS = 60
WAIT_SECONDS = 600


class Skipped(Exception):
    """Why a queue cannot be used here."""


def block_of(page, begin):
    """The code block of the page whose text begins so."""
    for block in re.findall(r"```\n(.*?)```", page.read_text(), re.S):
        if block.startswith(begin):
            return block
    sys.exit(f"{page} has no block that begins with {begin!r}")


def write_works(folder, root):
    (folder / "build").mkdir()
    text = (root / "samples" / "saxpy.ptx").read_text()
    for i in range(20):
        (folder / "build" / f"f{i}.ptx").write_text(text.replace("saxpy", f"saxpy{i}"))
    (folder / "budgets.toml").write_text(
        '[[budget]]\nkernel = "*"\nblock = 256\ngrid = 4\nargs = { 3 = 1000 }\nmax = "300 us"\n')


def run(words, folder, environment, **more):
    return subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def with_parallel(folder, page, environment):
    if shutil.which("parallel") is None:
        raise Skipped("parallel is not installed")
    done = run(["bash", "-c", block_of(page, "parallel ")], folder, environment, timeout=WAIT_SECONDS)
    if done.returncode != 0:
        sys.exit(f"parallel: {done.stderr}")


class Slurm:
    """munged, slurmctld and slurmd for this machine alone, with all files in one folder."""

    def __init__(self, folder, environment):
        self.folder, self.environment, self.processes = folder, environment, []

    def start(self, name, words):
        log = open(self.folder / f"{name}.log", "w")
        self.processes.append(subprocess.Popen(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                               stdout=log, stderr=log))

    def __enter__(self):
        programs = {name: shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
                    for name in ("munged", "slurmctld", "slurmd", "sbatch", "sinfo")}
        missing = [name for name, path in programs.items() if path is None]
        if missing:
            raise Skipped(f"{', '.join(missing)} not installed")
        if os.geteuid() != 0:
            raise Skipped("slurmd starts jobs as root only")
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        socket_file = self.folder / "munge.socket"
        with socket.socket() as one, socket.socket() as other:  # ports that are free now
            one.bind(("127.0.0.1", 0))
            other.bind(("127.0.0.1", 0))
            ports = one.getsockname()[1], other.getsockname()[1]
        host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(f"""ClusterName=own
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={socket_file}
CredType=cred/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        self.environment = dict(self.environment, SLURM_CONF=str(self.folder / "slurm.conf"))
        try:
            self.start("munged", [programs["munged"], "--foreground", "--force", f"--key-file={key}",
                                  f"--socket={socket_file}", f"--pid-file={self.folder}/munged.pid",
                                  f"--seed-file={self.folder}/munged.seed", f"--log-file={self.folder}/munged.log"])
            for _ in range(100):
                if socket_file.exists():
                    break
                time.sleep(0.1)
            self.start("slurmctld", [programs["slurmctld"], "-D"])
            self.start("slurmd", [programs["slurmd"], "-D", "-N", host])
            begin = time.monotonic()
            while time.monotonic() - begin < START_SECONDS:
                state = run([programs["sinfo"], "-h", "-o", "%T"], self.folder, self.environment)
                if state.stdout.strip() == "idle":
                    return self
                time.sleep(0.5)
            raise Skipped("Slurm does not start here: " + self.reasons())
        except BaseException:
            self.__exit__()
            raise

    def reasons(self):
        logs = [(name, (self.folder / f"{name}.log")) for name in ("munged", "slurmctld", "slurmd")]
        lines = [f"{name}: {line}" for name, log in logs if log.exists() for line in log.read_text().splitlines()
                 if re.search(r"error|fatal", line, re.I)]
        return "; ".join(lines[:6]) or "no node became idle"

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def with_slurm(folder, page, environment):
    own = pathlib.Path(tempfile.mkdtemp(prefix="warpspan-slurm-"))
    try:
        with Slurm(own, environment) as slurm:
            (folder / "job.sh").write_text(block_of(page, "#!/bin/sh\n#SBATCH"))
            done = run(["sbatch", "--wait", "job.sh"], folder, slurm.environment, timeout=WAIT_SECONDS)
            if done.returncode != 0:
                sys.exit(f"sbatch: {done.stdout}{done.stderr}{slurm.reasons()}")
    finally:
        shutil.rmtree(own, ignore_errors=True)


def main():
    program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    queues = {"parallel": with_parallel, "slurm": with_slurm}
    page = root / "docs" / "fleets.md"
    with tempfile.TemporaryDirectory(prefix="warpspan-queues-") as name:
        folder = pathlib.Path(name)
        write_works(folder, root)
        (folder / "bin").mkdir()
        (folder / "bin" / "warpspan").symlink_to(program)
        environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}")
        whole = run(["warpspan", "check", "build", "--budgets", "budgets.toml"], folder, environment)
        if "saxpy19" not in whole.stdout:
            sys.exit(f"no report: {whole.stderr}")
        for queue in sys.argv[3:] or queues:
            shards = [folder / f"shard-{i}.json" for i in range(1, SHARDS + 1)]
            for shard in shards:
                shard.unlink(missing_ok=True)
            try:
                queues[queue](folder, page, environment)
            except Skipped as reason:
                print(f"skipped: {queue}: {reason}")
                continue
            merged = run(["warpspan", "merge", *[shard.name for shard in shards]], folder, environment)
            if (merged.returncode, merged.stdout, merged.stderr) != (whole.returncode, whole.stdout, whole.stderr):
                sys.exit(f"{queue}: the report of {SHARDS} shards is not that of one run\n{merged.stderr}")
            print(f"{queue}: the report of {SHARDS} shards is that of one run")


if __name__ == "__main__":
    main()
