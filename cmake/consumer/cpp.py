"""The path in C++: the files and commands of the page make a program with a provider of one's own;
then that program's verbs, and other providers beside it, some of them wrong.
"""

import json
import re
import shutil

import page
from common import CXX, PREFIX, SHARE, SOURCE, expect, expect_words, fresh
from common import run as run_in

TITLE = "A C++ program of your own"
PAGE_FILES = {"CMakeLists.txt", "main.cpp", "my_lease.hpp", "my_table.hpp"}
FOLDER = fresh("mine")


def run(*words, status=0, where=FOLDER):
    return run_in(*words, where=where, status=status)


def the_page_leads_to_a_program():
    """By its commands, word for word; `bench` and `live` are as short there as they can be."""
    expect(set(page.files(TITLE)) == PAGE_FILES, f"files {PAGE_FILES} on the page")
    flags = f"-DCMAKE_CXX_COMPILER={CXX} -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror'"
    text = page.walk(TITLE, FOLDER, instead={"cmake -S .": f"cmake {flags} -S ."})
    for words in (" 0 broken", "single_owner.grant", "mine/renew/unix", "work steps"):
        expect_words(text, words)
    return FOLDER / "build/mine"


def build_others():
    other = FOLDER / "others"
    other.mkdir()
    for name in ("my_lease.hpp", "my_table.hpp", "CMakeLists.txt"):
        shutil.copy(FOLDER / name, other)
    shutil.copy(SOURCE / "cmake/consumer/others.cpp", other / "main.cpp")
    run("cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DCMAKE_CXX_COMPILER={CXX}",
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", where=other)
    run("cmake", "--build", "build", where=other)
    return other / "build/mine"


def check(program, *words, status=0):
    """What it printed, its JSON, and its cells as {(provider, property): {results}}."""
    text = run(program, "check", *words, "--seed", "1", "--json", "report.json", status=status)
    report = json.loads((FOLDER / "report.json").read_text())
    cells = {}
    for cell in report["cells"]:
        cells.setdefault((cell["provider"], cell["property"]), set()).add(cell["result"])
    return text, report, cells


def the_page_program_has_every_verb(mine):
    """With the provider beside the built-in ones, and nothing found in it."""
    listed = run(mine, "list", "providers")
    expect(re.search(r"^  mine  ", listed, re.M) and "redis-fenced" in listed, "mine beside redis")
    _, report, cells = check(mine, "--schedules", "200")
    providers = {cell["provider"] for cell in report["cells"]}
    expect({"mine", "redis", "memory", "noop"} <= providers, f"all columns, got {providers}")
    expect(report["summary"]["broken"] == 0, "nothing broken")
    for name in ("single_owner.grant", "release.owner_only", "renew.honest", "handoff.honest"):
        expect("holds" in cells["mine", name], f"{name} holds for mine")
    expect(report["missing"] == {}, "nothing falls back")
    _, report, cells = check(mine, "-p", "mine", "-f", "interleave", "--engine", "server",
                             "--schedules", "20")
    expect("holds" in cells["mine", "single_owner.grant"], "the same on a real redis-server")

    run(mine, "run", SHARE / "scenarios", "-p", "mine", "--json", "runs.json")
    runs = json.loads((FOLDER / "runs.json").read_text())["runs"]
    expect(len(runs) > 20 and all(one["provider"] == "mine" for one in runs), "scenarios of mine")
    run(mine, "score", "--mutant", "M01", "--schedules", "200", "--seed", "1")
    expect("mine" in run(mine, "doctor"), "doctor has looked at mine")


def a_bug_is_found_and_retold(others):
    wanted = ("-g", "release.owner_only", "-f", "interleave", "--schedules", "500")
    text, report, cells = check(others, "-p", "careless", *wanted, status=1)
    expect(cells["careless", "release.owner_only"] == {"broken"}, "the careless release is broken")
    trace = next(cell["trace"] for cell in report["cells"] if cell["trace"])
    expect(f"{others} replay" in text, "the command that replays it names this program")
    for _ in range(3):
        expect("same digest" in run(others, "replay", trace), "it replays")
    run(others, "shrink", trace, "--runs", "50")
    expect("release" in run(others, "explain", trace), "it is explained")
    expect("same" in run(others, "diff", trace, trace).lower(), "a trace is itself")
    conform = run(others, "conform", "careless", status=1)
    expect("broken" in conform, "the contract suite sees it too")
    _, _, cells = check(others, "-p", "declared", *wanted)
    expect(cells["declared", "release.owner_only"] == {"witness"}, "never promised: a witness")
    _, _, cells = check(others, "-p", "timeless", "-g", "renew.honest", "-f", "interleave",
                        "--schedules", "500", status=1)
    expect(cells["timeless", "renew.honest"] == {"broken"}, "a renewal of the dead is broken")


def four_of_five_falls_back_visibly(others):
    told = "4 of 5 operations (no transfer_lease): a runtime falls back to no-op"
    text, report, cells = check(others, "-p", "four", "-f", "interleave", "--schedules", "100",
                                status=1)
    expect(f"four: {told}" in text, f"{told}:\n{text}")
    expect(report["missing"] == {"four": ["transfer_lease"]}, "in JSON")
    expect(cells["four", "single_owner.grant"] == {"broken"}, "everybody owns everything")
    for words in (["conform", "four"], ["run", SHARE / "scenarios/contract", "-p", "four"]):
        expect_words(run(others, *words, "--json", "four.json", status=1), f"four: {told}")
        expect_words((FOLDER / "four.json").read_text(), '"transfer_lease"')
    expect(told in run(others, "list", "providers"), "list says so")
    expect(told in run(others, "doctor", status=1), "doctor says so")
    expect(told in run(others, "live", "-p", "four", status=3), "live says so")


def other_shapes_hold(others):
    for name in ("unseen", "decorator", "table"):
        text, report, cells = check(others, "-p", name, "--schedules", "1000")
        expect(report["summary"]["broken"] == 0, f"nothing broken in {name}:\n{text}")
        expect("holds" in cells[name, "single_owner.grant"], f"{name} holds")
        expect(report["missing"] == {}, f"{name} does not fall back")
        run(others, "conform", name)
    run(others, "run", SHARE / "scenarios", "-p", "table", "-p", "unseen")
    expect("one memory" in run(others, "live", "-p", "table", status=3), "no live memory")
    run(others, "bench", "--filter", "provider/table/renew/local/clients:1/depth:1$",
        "--repetitions", "1")


def main():
    mine = the_page_leads_to_a_program()
    the_page_program_has_every_verb(mine)
    others = build_others()
    a_bug_is_found_and_retold(others)
    four_of_five_falls_back_visibly(others)
    other_shapes_hold(others)
    print("the walk-through holds")


if __name__ == "__main__":
    main()
