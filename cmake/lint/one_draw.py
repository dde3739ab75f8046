"""One draw a full expression.

g++ and clang++ evaluate the arguments of a call in opposite order, so `f(r.below(2), r.below(3))`
is two different runs. This is a heuristic over the text: two draws from one source in one
statement, unless an operator between them fixes their order.
"""

import pathlib
import re
import sys

FOLDERS = ["providers", "sim", "properties", "scenarios", "cli", "bench"]
METHOD = re.compile(
    r"([A-Za-z_][\w.]*(?:(?:->|\(\)\.|::)[\w.]+)*)(?:\.|->)"
    r"(?:draw|below|chance|next|pick|log_uniform|uniform)\s*\(")
FUNCTION = re.compile(
    r"(?<![\w.:>])(?:draw|below|chance|log_uniform|uniform)\s*\(\s*([A-Za-z_][\w.>-]*)\s*[,)]")
NOISE = re.compile(
    r'R"(\w*)\(.*?\)\1"'            # raw strings
    r'|"(?:\\.|[^"\\\n])*"'         # strings
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'"  # characters, not digit separators
    r"|//[^\n]*|/\*.*?\*/"          # comments
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",  # preprocessor lines
    re.S | re.M)


def blank(text):
    """The text with everything that is not code made blank, lines kept."""
    return NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def ordered(statement, first, second):
    """Whether the language runs what stands at `first` before what stands at `second`.

    Looks at the innermost expression that holds both. A comma outside parentheses separates
    declarators or list items, which are ordered; one inside separates arguments, which are not.
    """
    between = statement[first:second]
    depth = lowest = 0
    marks = []
    for token in re.finditer(r"[(\[)\]]|&&|\|\||\?|,", between):
        if token[0] in "([":
            depth += 1
        elif token[0] in ")]":
            depth -= 1
            lowest = min(lowest, depth)
        else:
            marks.append((depth, token[0]))
    here = [mark for level, mark in marks if level == lowest]
    if "," in here:
        outside = statement[:first].count("(") - statement[:first].count(")") + lowest
        return outside <= 0
    return bool(here)


def offences(text):
    """The offsets of second draws."""
    code = blank(text)
    found = []
    start = 0
    for end in [m.start() for m in re.finditer(r"[;{}]", code)] + [len(code)]:
        statement = code[start:end]
        draws = sorted((m.start(), re.sub(r"\s", "", m[1])) for pattern in (METHOD, FUNCTION)
                       for m in pattern.finditer(statement))
        for (first, one), (second, other) in zip(draws, draws[1:]):
            if one == other and not ordered(statement, first, second):
                found.append(start + second)
        start = end + 1
    return found


FIRES = [
    "f(random.below(2), random.below(3));",
    "const auto x = random.below(2) - random.below(3);",
    "return point(r->next(),\n             r->next());",
    "f(below(random, 2), below(random, 3));",
    "f(world.random.pick(a), 1, g(world.random.pick(b)));",
    "a[r.below(3)] = r.below(4);",
    "f(r.below(r.below(3)));",
    "EXPECT_NE(source.next(), source.next());",
    "f(a && r.chance(h), r.below(2));",
]
SILENT = [
    "const auto x = random.below(2); const auto y = random.below(3);",
    "if (r.chance(a) && r.chance(b)) return;",
    "const auto x = r.chance(a) ? r.below(2) : 0;",
    "for (auto i = r.below(2); i < r.below(3); ++i) f(i);",
    "const auto x = r.below(2), y = r.below(3);",
    "const point p{r.below(2), r.below(3)};",
    "EXPECT_EQ(one.next(), other.next());",
    "f(std::next(i), std::next(i));",
    "// f(r.below(2), r.below(3));",
    'say("f(r.below(2), r.below(3))");',
    "#define TWO f(r.below(2), r.below(3))",
    "std::uint64_t below(std::uint64_t n); std::uint64_t below(std::uint64_t m);",
    "const auto x = r.below(1'000); const auto y = r.below(2'000);",
]


def self_test():
    for text in FIRES:
        assert offences(text), "must fire: " + text
    for text in SILENT:
        assert not offences(text), "must stay silent: " + text


def main(root):
    self_test()
    found = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            text = path.read_text()
            for offset in offences(text):
                found += 1
                line = text.count("\n", 0, offset) + 1
                print(f"{path.relative_to(root)}:{line}: a second draw in one full expression")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
