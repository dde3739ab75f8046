"""The paths of providers that are no part of a C++ program, by the page's words: files, commands, a
matrix. Then each with a fault in it, and with an operation less.

    elsewhere.py BUILD SOURCE CXX NODE plugin|python|node|client
"""

import re
import sys

import page
from common import BUILD, NODE, expect, expect_words, fresh, run

FALLBACK = "4 of 5 operations (no transfer_lease): a runtime falls back to no-op"
BUILD_PLUGIN = ["gcc", "-std=c99", "-shared", "-fPIC", "-o", "libmine.so", "script_lease.c"]


def leaselab(folder, *words, status=0):
    return run("leaselab", *words, where=folder, status=status)


def filled(text, column):
    """A matrix in which that provider holds what it is held to."""
    expect(re.search(rf"^ +{re.escape(column)}$", text, re.M), f"a column {column}\n{text}")
    expect_words(text, "single_owner.grant ")
    expect(re.search(r"^[1-9]\d* holds, 0 broken, ", text, re.M), f"nothing broken\n{text}")


def a_fault_is_found(folder, name):
    """A release that does not look whose lease it deletes, from the check to its story."""
    text = leaselab(folder, "check", "-p", name, "-f", "interleave", "-g", "release.owner_only",
                    "--schedules", "200", "--seed", "1", status=1)
    expect_words(text, "broken  release.owner_only of " + name)
    expect_words(leaselab(folder, "replay", "latest"), "same digest")
    expect_words(leaselab(folder, "explain", "latest"), "release")
    leaselab(folder, "conform", name, status=1)


def one_is_missing(folder, name):
    for words in (["check", "-p", name, "-f", "calm", "--schedules", "20"], ["conform", name]):
        expect_words(leaselab(folder, *words, status=1), f"{name}: {FALLBACK}")


def changed(file, old, new):
    text = file.read_text()
    expect(old in text, f"{old} in {file.name}")
    file.write_text(text.replace(old, new))


def plugin():
    folder = fresh("plugin")
    filled(page.walk("A shared library", folder), "./libmine.so")
    source = folder / "script_lease.c"
    correct = source.read_text()
    changed(source, "release[] = OWNED ", "release[] = ")
    run(*BUILD_PLUGIN, where=folder)
    a_fault_is_found(folder, "./libmine.so")
    # Of a name that nobody looks for; the header declares the other.
    source.write_text(correct.replace("lease_plugin_transfer_lease", "hand_over"))
    run(*BUILD_PLUGIN, where=folder)
    one_is_missing(folder, "./libmine.so")


def python():
    folder = fresh("python")
    filled(page.walk("In Python", folder), "exec:./my_adapter.py")
    changed(folder / "my_adapter.py", "RELEASE = OWNED + ", "RELEASE = ")
    a_fault_is_found(folder, "exec:./my_adapter.py")
    changed(folder / "my_adapter.py", "transfer_lease", "hand_over")
    one_is_missing(folder, "exec:./my_adapter.py")


def node():
    folder = fresh("node")
    filled(page.walk("In Node", folder), "exec:./my_adapter.js")
    changed(folder / "my_adapter.js", "RELEASE = `${OWNED}", "RELEASE = `")
    a_fault_is_found(folder, "exec:./my_adapter.js")
    changed(folder / "my_adapter.js", "transferLease", "handOver")
    one_is_missing(folder, "exec:./my_adapter.js")


def client():
    """With the packages that the test npm.redis.install has put into the build tree."""
    folder = fresh("client")
    packages = BUILD / "npm/redis/node_modules"
    text = page.walk("Your own Redis client", folder, expected={"leaselab check -p exec:./three": 1},
                     instead={"npm ci": f"ln -s '{packages}' ."})
    expect_words(text, "broken  acquire.honest_denial of exec:./three_trips.js")
    expect_words(text, "same digest")


if __name__ == "__main__":
    path = sys.argv[5]
    if path in ("node", "client") and not NODE:
        print("skipped: there is no node on this machine")
        sys.exit()
    {"plugin": plugin, "python": python, "node": node, "client": client}[path]()
    print("the walk-through holds")
