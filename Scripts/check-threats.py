#!/usr/bin/env python3
"""Checks that Documentation/ThreatModel.md and Articles.md name tests and types that there are.

A test stands there as `Suite/name of the test`; one in Python as `Class/name`, or `file/name`
where it is in no class. Each row of a table of threats names a test, or says "none yet". Each row
of a table of statements has a verdict; one that works names a test, or says "by hand", and one
that does not says what does not hold. Types and files of Swift stand alone, as `JWSVerifier` and
`Package.swift`.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "Documentation/ThreatModel.md", ROOT / "Documentation/Articles.md"]
SUITE = re.compile(
    r"^(?:(?:package|final|private|public|@\w+(?:\([^)]*\))?) +)*"
    r"(?:struct|class|enum|actor|extension) +(\w+)", re.M)
# A suite may stand behind its traits on another line.
TRAITS = re.compile(r"\) (?:final +)?(?:struct|class|enum|actor) +(\w+)")
TEST = re.compile(r"@Test\b.*?\bfunc\s+(?:`([^`]+)`|(\w+))", re.S)
TYPE = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias|extension) +(\w+)")
NONE = "none yet"
# What a row of the articles says, and the words that may stand in the place of a test.
VERDICTS = {"works": "by hand", "partly": "", "missing": "", "bound to iOS": ""}
# Written as our types are, and not ours.
FOREIGN = {"Contents", "Host", "HttpOnly", "Secure", "StaticString"}


def swift_tests(text):
    """Suites with the tests in them, by the type at the beginning of a line above."""
    suites = sorted(
        (match.start(), match[1]) for pattern in (SUITE, TRAITS)
        for match in pattern.finditer(text)
        if text.rfind("\n", 0, match.start()) + 1 == match.start() or pattern is TRAITS)
    for match in TEST.finditer(text):
        above = [name for start, name in suites if start < match.start()]
        yield above[-1] if above else "", match[1] or match[2]


def python_tests(path, text):
    place = path.stem
    for line in text.splitlines():
        if found := re.match(r"class (\w+)", line):
            place = found[1]
        elif found := re.match(r"( *)def (test_\w+)", line):
            yield place if found[1] else path.stem, found[2]


def known_tests():
    tests = {}
    for path in sorted(
            path for folder in ("Tests", "Examples/Tests") for path in (ROOT / folder).rglob("*")):
        if path.suffix == ".swift":
            found = swift_tests(path.read_text())
        elif path.suffix == ".py":
            found = python_tests(path, path.read_text())
        else:
            continue
        for suite, name in found:
            tests.setdefault(suite, set()).add(name)
    return tests


def known_names():
    names = {"Package.swift"} | FOREIGN
    for path in (ROOT / "Sources").rglob("*.swift"):
        names.add(path.name)
        names.update(TYPE.findall(path.read_text()))
    return names


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def statement_problem(row):
    verdict, test = row[-2:]
    if verdict not in VERDICTS:
        return f"\"{verdict}\" is no verdict; write one of {', '.join(VERDICTS)}"
    if verdict == "works" and "/" not in test and test != VERDICTS[verdict]:
        return "the row names no test; write \"by hand\" where somebody has tried it"
    if verdict != "works" and not test:
        return "the row does not say what does not hold"
    return None


def problems(document, tests, names):
    table = None
    for number, line in enumerate(document.splitlines(), 1):
        for span in re.findall(r"`([^`]+)`", line):
            suite, slash, name = span.partition("/")
            is_test = suite in tests or " " in name or name.startswith("test_")
            if slash and is_test and re.fullmatch(r"\w+", suite):
                if suite not in tests:
                    yield number, f"there is no suite {suite}"
                elif name not in tests[suite]:
                    yield number, f"{suite} has no test \"{name}\""
            elif re.fullmatch(r"[A-Z][a-z]\w*[A-Z]\w*|[A-Z]+[a-z]\w*|[\w+]+\.swift", span):
                if span not in names:
                    yield number, f"Sources has no {span}"
        if not line.startswith("|"):
            table = None
        elif table is None:
            table = cells(line)
        elif table[0] in ("threat", "#") and not line.startswith("|---"):
            row = cells(line)
            if len(row) != len(table):
                yield number, f"the row has {len(row)} cells, not {len(table)}"
            elif table[0] == "#":
                if problem := statement_problem(row):
                    yield number, problem
            elif NONE not in row[-1] and "/" not in row[-1]:
                yield number, f"the row names no test; write \"{NONE}\" where there is none"


tests, names = known_tests(), known_names()
found = [
    f"{document.relative_to(ROOT)}:{number}: {problem}" for document in DOCUMENTS
    for number, problem in problems(document.read_text(), tests, names)]
print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
if found:
    sys.exit(1)
print("threats, articles: each test and type that they name is there")
