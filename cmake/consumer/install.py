"""cmake --install, into a prefix that is moved afterwards, so that nothing may remember where it was.
The other walks begin with what this leaves."""

import os
import pathlib
import re
import shutil
import subprocess

from common import BUILD, HOME, PREFIX, SHARE, SOURCE, WORK, expect, run


def install():
    shutil.rmtree(WORK, ignore_errors=True)
    HOME.mkdir(parents=True)
    first = WORK / "first"
    run("cmake", "--install", BUILD, "--prefix", first, where=BUILD)
    first.rename(PREFIX)
    return first


def nothing_names_another_place(first):
    files = [file for file in PREFIX.rglob("*") if file.suffix in (".cmake", ".md", ".py", ".js")]
    for program in ("bin/leaselab", "libexec/leaselab/provider_bench"):
        files.append(WORK / pathlib.Path(program).name)
        # Debug information names sources.
        subprocess.run(["strip", "-o", files[-1], PREFIX / program], check=True)
    for file in files:
        for place in (BUILD, SOURCE, first):
            expect(str(place).encode() not in file.read_bytes(), f"{file} does not name {place}")


def documents_lead_somewhere():
    """Every link from one document to another, and every path below $LEASELAB that they name."""
    for page in [*SHARE.rglob("*.md")]:
        text = page.read_text()
        for target in re.findall(r"\]\(([^)#]+)", text):
            if "://" not in target:
                expect((page.parent / target).exists(), f"{page.name} links to {target}")
        for target in re.findall(r"\$LEASELAB/([\w./-]+)", text):
            expect((SHARE / target).exists(), f"{page.name} names {target}")


def samples_may_be_run():
    for name in ("python/samples/script_lease.py", "node/samples/script_lease.js",
                 "node/samples-npm/mastra/mastra.js", "python/samples-host/map_lease.py"):
        sample = SHARE / "providers/pipe" / name
        expect(os.access(sample, os.X_OK), f"{sample} is executable")
    strays = [one for one in SHARE.rglob("*")
              if one.name in ("node_modules", "__pycache__", "testdata")]
    expect(not strays, f"nothing that was not in the tree, got {strays}")


if __name__ == "__main__":
    nothing_names_another_place(install())
    documents_lead_somewhere()
    samples_may_be_run()
    print("installed and moved")
