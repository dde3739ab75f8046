"""Each header compiles alone: a source that includes nothing else passes the compiler.

The flags are those of a source that includes it or else of one in its folder, from
compile_commands.json. A test and not a part of the build: Asio costs two seconds a header.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDE = re.compile(r'#include "([^"]+)"')
FOLDERS = ["providers", "sim", "properties", "scenarios", "cli", "bench"]


def flags(root, build):
    """The compiler call for each included name and each folder, without source, object and
    dependency file."""
    calls = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if source.suffix != ".cpp" or root not in source.parents:
            continue
        words = iter(shlex.split(entry["command"]))
        call = []
        for word in words:
            if word in ("-o", "-MF", "-MT"):
                next(words)
            elif word not in ("-c", "-MD", entry["file"]):
                call.append(word)
        calls.setdefault(source.relative_to(root).parts[0], call)
        for name in INCLUDE.findall(source.read_text()):
            calls.setdefault(name, call)
    return calls


def compile_alone(call, root, header):
    name = header.relative_to(root).as_posix()
    result = subprocess.run([*call, "-fsyntax-only", "-x", "c++", "-"], cwd=root, text=True,
                            input=f'#include "{name}"\n', capture_output=True)
    return name, result


def main(root, build):
    calls = flags(root, build)

    def call_for(header):
        path = header.relative_to(root)
        return calls.get(path.as_posix()) or calls.get(path.parts[0], calls["providers"])

    headers = [header for folder in FOLDERS for header in sorted((root / folder).rglob("*.hpp"))]
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compile_alone, call_for(header), root, header) for header in headers]
        for job in jobs:
            name, result = job.result()
            if result.returncode:
                bad += 1
                print(f"{name} does not compile alone:\n{result.stderr}")
    print(f"{len(headers)} headers, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
