"""clang-format over every C and C++ file of the repository; with --fix it rewrites them."""

import pathlib
import subprocess
import sys

PATTERNS = ["*.cpp", "*.hpp", "*.c", "*.h"]


def files(root):
    """The tracked files; in a tree without git, those that are not in a build directory."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", *PATTERNS],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        names = [root / name for name in listed.stdout.split("\0") if name]
    else:
        names = [name for pattern in PATTERNS for name in root.rglob(pattern)
                 if not name.relative_to(root).parts[0].startswith("build")]
    return sorted(str(name) for name in names if name.exists())


def main(root, fix):
    names = files(root)
    if not names:
        return 0
    mode = ["-i"] if fix else ["--dry-run", "--Werror"]
    return subprocess.run(["clang-format", *mode, *names]).returncode


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), "--fix" in sys.argv[2:]))
