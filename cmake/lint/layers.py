"""The layer rule: each folder includes only itself and what stands to its left.

    providers -> sim -> properties -> scenarios -> cli
                             +--> bench

One file knows what stands on both branches: cli/testbed.cpp makes one program of cli and bench.
"""

import pathlib
import re
import sys

MAY_INCLUDE = {
    "providers": {"providers"},
    "sim": {"providers", "sim"},
    "properties": {"providers", "sim", "properties"},
    "scenarios": {"providers", "sim", "properties", "scenarios"},
    "cli": {"providers", "sim", "properties", "scenarios", "cli"},
    "bench": {"providers", "sim", "properties", "bench"},
}
# Plugins are built as their users build them, not as a part of the tree.
OUTSIDE = re.compile(r"^providers/plugin/(samples|testdata)/")
JOINS_BRANCHES = {"cli/testbed.cpp"}
SUFFIXES = {".cpp", ".hpp", ".c", ".h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<((?:%s)/[^>]+)>)' % "|".join(MAY_INCLUDE))


def backend(path):
    """The backend folder of a file below providers/, None for the contract beside them."""
    parts = path.split("/")
    return parts[1] if parts[0] == "providers" and len(parts) > 2 else None


def objection(source, target):
    """Why `source` may not include `target`; both are paths from the root."""
    if OUTSIDE.search(source):
        return None
    folder = target.split("/")[0]
    if folder not in MAY_INCLUDE:
        return "project headers are included from the root, system headers with <>"
    here = source.split("/")[0]
    if folder not in MAY_INCLUDE[here] and source not in JOINS_BRANCHES:
        return f"{here} must not know {folder}"
    # A test may pick a real backend to test with.
    wanted, own = backend(target), backend(source)
    if wanted is None or wanted == own or re.search(r"_test\.cpp$", source):
        return None
    if here == "sim":
        return "sim gets its backends through factories"
    if own is not None:
        return "one backend never knows another"
    if here == "providers" and not source.endswith(".cpp"):
        return "the contract's headers know no backend"
    return None


def self_test():
    silent = [
        ("providers/memory/memory_provider.hpp", "providers/lease_provider.hpp"),
        ("providers/release_then_acquire/provider.hpp", "providers/lease_provider.hpp"),
        ("providers/detect.cpp", "providers/redis/redis_provider.hpp"),
        ("sim/redis/model_engine.cpp", "sim/redis/engine.hpp"),
        ("sim/world_test.cpp", "providers/memory/memory_provider.hpp"),
        ("bench/world_bench.cpp", "properties/search/generate.hpp"),
        ("cli/testbed.cpp", "bench/provider_bench.hpp"),
        ("cli/registry.cpp", "providers/memory/memory_provider.hpp"),
        ("providers/plugin/samples/script_lease.c", "lease_plugin.h"),
    ]
    firing = [
        ("providers/lease_provider.hpp", "sim/time.hpp"),
        ("providers/lease_provider.hpp", "providers/memory/memory_provider.hpp"),
        ("providers/release_then_acquire/provider.hpp", "providers/memory/memory_provider.hpp"),
        ("sim/world.cpp", "providers/redis/redis_provider.hpp"),
        ("sim/world.cpp", "properties/property.hpp"),
        ("sim/world_test.cpp", "properties/property.hpp"),
        ("bench/world_bench.cpp", "cli/registry.hpp"),
        ("cli/bench.cpp", "bench/provider_bench.hpp"),
        ("scenarios/scenario.cpp", "cli/registry.hpp"),
        ("sim/world.cpp", "world.hpp"),
        ("providers/plugin/call.cpp", "lease_plugin.h"),
    ]
    for pair in silent:
        assert objection(*pair) is None, pair
    for pair in firing:
        assert objection(*pair), pair


def main(root):
    self_test()
    found = 0
    for folder in MAY_INCLUDE:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            source = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                reason = match and objection(source, match[1] or match[2])
                if reason:
                    found += 1
                    print(f"{source}:{number}: {match[1] or match[2]}: {reason}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
