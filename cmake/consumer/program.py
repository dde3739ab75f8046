"""The installed program, every verb, in an empty folder: it needs nothing of the tree, and its own
files where it stands."""

import json
import shutil

from common import PREFIX, SHARE, WORK, expect, expect_words, fresh
from common import run as run_in

FOLDER = fresh("program")
PROGRAM = PREFIX / "bin/leaselab"


def leaselab(*words, status=0, program=PROGRAM):
    return run_in(program, *words, where=FOLDER, status=status)


def searching_verbs():
    text = leaselab("check", "-p", "redis", "-p", "release-then-acquire", "-f", "interleave",
                    "--schedules", "200", "--seed", "3", "--json", "check.json", "--html", "c.html")
    expect_words(text, "handoff.no_gap         holds      witness interleave")
    for verb in ("replay", "explain", "shrink"):
        leaselab(verb, "latest")
    leaselab("diff", "latest", "latest")
    leaselab("check", "-p", "redis", "-f", "calm", "--schedules", "20", "--engine", "server")
    leaselab("check", "--each-switch", "-p", "redis", "--schedules", "20", "--seed", "1")
    leaselab("check", "--strategy", "exhaustive", "--processes", "2", "--calls", "2", "-p", "redis")
    leaselab("conform", "redis", "--engine", "server")
    leaselab("sweep", "margin", "--schedules", "2", "--seed", "1")
    expect_words(leaselab("score", "--mutant", "M01", "--schedules", "200", "--seed", "1"),
                 "1 of 1 mutants killed")


def verbs_with_processes_of_their_own(program):
    """With the clock shim that the program carries, and the benchmarks that stand beside it."""
    leaselab("live", "--duration", "2s", "--processes", "2", "--seed", "3", program=program)
    leaselab("bench", "--filter", "/redis/renew/unix/clients:1/depth:1$", "--repetitions", "1",
             "--json", "bench.json", program=program)
    rows = json.loads((FOLDER / "bench.json").read_text())["benchmarks"]
    expect(rows, "a row of bench")


def its_own_files():
    expect_words(leaselab("doctor"), f"files          {SHARE}")
    listed = leaselab("list", "scenarios")
    expect(len(listed.splitlines()) > 100, f"scenarios that came with it, got {listed}")
    expect_words(listed, str(SHARE / "scenarios/contract"))
    expect_words(leaselab("run", SHARE / "scenarios"), " ok in ")
    refused = leaselab("run", "scenarios/contract", status=3)
    expect_words(refused, f"those of leaselab are in {SHARE}/scenarios")


def history():
    live = next(FOLDER.glob("leaselab-out/*-live-*/history.jsonl"))
    expect_words(leaselab("judge", live), "holds")


def moved_again():
    """To a path with a space in it."""
    other = WORK / "another place"
    shutil.rmtree(other, ignore_errors=True)
    (other / "bin").mkdir(parents=True)
    shutil.copy(PROGRAM, other / "bin")
    for name in ("libexec", "share"):
        shutil.copytree(PREFIX / name, other / name)
    verbs_with_processes_of_their_own(other / "bin/leaselab")
    expect_words(leaselab("doctor", program=other / "bin/leaselab"), f"{other}/share/leaselab")
    shutil.rmtree(other)


def main():
    searching_verbs()
    verbs_with_processes_of_their_own(PROGRAM)
    its_own_files()
    history()
    moved_again()
    left = {one.name for one in FOLDER.iterdir()}
    expect(left == {"leaselab-out", "check.json", "c.html", "bench.json"}, f"no other files: {left}")
    print("every verb works where it was installed")


if __name__ == "__main__":
    main()
