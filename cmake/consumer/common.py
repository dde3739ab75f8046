"""What the walks through the documents share: an installation, an empty folder, the means to run.

    <walk>.py BUILD SOURCE CXX NODE
"""

import os
import pathlib
import shutil
import subprocess
import sys

BUILD, SOURCE, CXX, NODE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:5]
WORK = BUILD / "consumer"
HOME = WORK / "home"  # what the page calls $HOME
PREFIX = HOME / "leaselab"
SHARE = PREFIX / "share/leaselab"


def fresh(name):
    """An empty folder of that name."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def environment():
    """That of somebody who has installed leaselab and set the two variables of the page."""
    return os.environ | {"HOME": str(HOME), "LEASELAB": str(SHARE),
                         "PATH": f"{PREFIX / 'bin'}:{os.environ['PATH']}"}


def run(*words, where, status=0):
    """Its output, both streams; ends the test where the exit status is another."""
    words = [str(word) for word in words]
    ended = subprocess.run(words, cwd=where, env=environment(), stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           errors="replace")
    if ended.returncode != status:
        sys.exit(f"{' '.join(words)}: status {ended.returncode}, not {status}\n{ended.stdout}")
    return ended.stdout


def expect(true, what):
    if not true:
        sys.exit(f"expected: {what}")


def expect_words(text, words):
    expect(words in text, f"{words}\n{text}")
