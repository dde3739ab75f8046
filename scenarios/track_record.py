#!/usr/bin/env python3
"""Measures the track record of README.md again: in which schedule a random search first meets what
an incident shows, without being told of it. `track_record.py build/leaselab` rewrites the columns
"first met" and "seen in" of every row, `track_record.py build/leaselab B41 B47` of those alone.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

README = pathlib.Path(__file__).parent / "README.md"
ROW = re.compile(r"^\| B\d\d \|")
STEPS = [2_000, 20_000, 100_000]  # most are met soon: nobody needs to search on


def first_met(program, words, wanted, schedules):
    """The number of the first schedule, counted from 1, that violates `wanted`; None: none did."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [program, "check", *words, "-g", wanted, "--strategy", "random", "--seed", "1",
                   "--schedules", str(schedules), "--jobs", "1", "--json", str(report),
                   "--out", folder]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode > 2:
            sys.exit(" ".join(command) + "\n" + ended.stderr)
        cells = json.loads(report.read_text())["cells"]
    found = [cell["first_violation"] for cell in cells if cell["first_violation"] is not None]
    return min(found) + 1 if found else None


def measure(program, words, wanted):
    for schedules in STEPS:
        found = first_met(program, words, wanted, schedules)
        if found:
            return f"{found:,}"
    return f"not in {STEPS[-1]:,}"


def main():
    program, chosen = sys.argv[1], sys.argv[2:]
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    version = version.stdout.split()[1]
    lines = README.read_text().splitlines()
    for place, line in enumerate(lines):
        if not ROW.match(line) or line.count("|") != 8:
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        report, search = cells[0], cells[4]
        if chosen and report not in chosen:
            continue
        if search.startswith("`"):
            wanted = cells[2].split("`")[1]
            cells[5] = measure(program, search.strip("`").split(), wanted)
        cells[6] = version
        lines[place] = "| " + " | ".join(cells) + " |"
        print(lines[place], flush=True)
        README.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
