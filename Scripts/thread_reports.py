#!/usr/bin/env python3
"""Reads what the thread sanitizer has reported, and fails for every race that is one.

The sanitizer does not see how one thread hands a contended Synchronization.Mutex to another,
because that part lies in the toolchain's library, which is not instrumented. So it reports two
closures of withLock of one mutex now and then (Documentation/Decisions.md). A report is taken for
such a false one only where both accesses stand, in the sources, inside of withLock closures of a
property of the same name, or in methods that such closures call; or where the earlier one makes
an object inside of such a closure, before which nobody else has it.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRAME = re.compile(r"^    #\d+ .*? (/\S+\.swift):(\d+)")


def mutex_around(path, line):
    """The name of the property whose withLock closure a line stands in; None for none."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return None
    depth = 0
    for index in range(min(line, len(lines)) - 1, max(-1, line - 60), -1):
        text = lines[index]
        found = re.search(r"(\w+)(?:\?)?\.withLock\b", text)
        if index == line - 1:
            if found:
                return found.group(1)
            continue
        depth += text.count("}") - text.count("{")
        if found and depth < 0:
            return found.group(1)
        if re.match(r"    (?:\w+ )*func |^(?:\w+ )*(?:class|struct|enum|extension) ", text):
            return None
    return None


def accesses(report):
    """For each access of a report, its frames that lie in the project's sources, inner first."""
    found = []
    is_access = False
    for text in report.splitlines():
        if re.match(r"^  \S.* by (?:main )?thread\b", text) and "created by" not in text:
            is_access = True
            found.append([])
        elif is_access:
            frame = FRAME.match(text)
            if frame and frame.group(1).startswith(str(ROOT)):
                found[-1].append((frame.group(1), int(frame.group(2))))
            elif not text.startswith("    "):
                is_access = False
    return found


def mutex_of(frames):
    """The mutex that an access is made under: in the closure itself, or in a method that the
    closure calls, or that such a method calls."""
    names = [mutex_around(path, line) for path, line in frames[:3]]
    return next((name for name in names if name), None)


def is_making(frames):
    """Whether an access gives a property its first value, in a closure under a mutex."""
    path, line = frames[0]
    text = Path(path).read_text().splitlines()[line - 1]
    is_property = re.match(r"    (?:private |package )?(?:let|var) \w+.* = ", text)
    return bool(is_property) and any(mutex_around(*frame) for frame in frames[1:3])


def main(files):
    text = "".join(Path(file).read_text(errors="replace") for file in files if Path(file).exists())
    reports = [part for part in text.split("==================") if "WARNING" in part]
    false, races = 0, []
    for report in reports:
        found = accesses(report)
        names = [mutex_of(frames) for frames in found]
        if len(names) >= 2 and names[0] is not None and names[0] == names[1]:
            false += 1
        elif len(found) >= 2 and found[1] and is_making(found[1]):
            false += 1
        else:
            races.append(report)
    for report in races:
        print(report, file=sys.stderr)
    print(f"threads: {len(races)} races, {false} reports of two closures under one mutex")
    return 1 if races else 0


sys.exit(main(sys.argv[1:]))
