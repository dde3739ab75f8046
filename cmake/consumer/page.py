"""docs/PROVIDERS.md as somebody follows it: a section is a row of files to write and of commands."""

import re

from common import SOURCE, expect, run

BLOCK = re.compile(r"`([\w.]+)`:\n\n```\w*\n(.*?)^```$"  # a file with its name before it
                   r"|^((?:    [^\n]*\n)+)", re.M | re.S)  # or indented lines: commands
# With what a block of commands begins; others show what is printed.
COMMANDS = ("leaselab ", "build/mine ", "cp ", "cmake ")


def section(title):
    page = (SOURCE / "docs/PROVIDERS.md").read_text()
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^##|\Z)", page, re.M | re.S)
    expect(found, f"a section {title}")
    return found[1]


def files(title):
    return {name: text for name, text, _ in BLOCK.findall(section(title)) if name}


def commands(title):
    """Each block of lines that are commands."""
    blocks = [lines for _, _, lines in BLOCK.findall(section(title)) if lines]
    return [lines for lines in blocks if lines.lstrip().startswith(COMMANDS)]


def walk(title, folder, expected=None, instead=None):
    """Writes the files of the section into `folder`, and runs its commands there, one shell for all.
    `expected`: by the beginning of a command its exit status, where that is not 0. `instead`: what
    runs in the place of some words. What they printed."""
    for name, text in files(title).items():
        (folder / name).write_text(text)
    blocks = commands(title)
    expect(blocks, f"commands in {title}")
    script = "ends() { [ $? = $1 ] || { echo \"status of: $2\" >&2; exit 99; }; }\n"
    for line in "".join(blocks).splitlines():
        line = line.strip()
        status = next((value for begin, value in (expected or {}).items()
                       if line.startswith(begin)), 0)
        shown = line.replace("'", "'\\''")
        for words, others in (instead or {}).items():
            line = line.replace(words, others)
        script += f"{line}\nends {status} '{shown}'\n"
    return run("bash", "-c", script, where=folder)
