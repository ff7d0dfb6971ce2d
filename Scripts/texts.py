#!/usr/bin/env python3
"""Brings the texts that customers read in line with their template, or checks that they are.

  Scripts/texts.py           after a change of Sources/Shared/CStoreTexts/texts.pot: adds its messages to
                             the file of each language, still to be translated, takes away those that it
                             has no longer, and writes the functions that sources call
  Scripts/texts.py --check   says what is not right: what is missing, not translated, not used, has other
                             values than its template, or no word for translators

Uses gettext's msgfmt and msgmerge. Documentation/Contributors/Translating.md has the whole.
"""

import ast
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Sources/Shared/CStoreTexts"
TEMPLATE = FOLDER / "texts.pot"
ACCESSORS = ROOT / "Sources/Shared/StoreTexts/Texts+Accessors.swift"
FLAG = "python-brace-format"
# `texts.key`, `Texts(language).key`, `Texts.device.key`, `$0.key`, and key paths.
CALL = re.compile(
    r"(?:[tT]exts(?:\([^()]*\)|\.device|\.english)?|\bwords|self|\$0|\\|\\Texts)\.(\w+)")
VALUE = re.compile(r"(?<!\{)\{(\w+)\}")


def messages(file=TEMPLATE):
    """The messages of a file: key, English, plural, comment for translators, flags, translations."""
    for block in re.split(r"\n\s*\n", file.read_text()):
        fields = {"msgctxt": "", "msgid": "", "msgid_plural": ""}
        comment, flags, current = [], "", ""
        for line in block.splitlines():
            if line.startswith("#. "):
                comment.append(line[3:].strip())
            elif line.startswith("#,"):
                flags = line
            elif match := re.match(r'(msg\w+(?:\[\d\])?) (".*")$', line):
                current = match[1]
                fields[current] = ast.literal_eval(match[2])
            elif line.startswith('"'):
                fields[current] += ast.literal_eval(line)
        if key := fields.pop("msgctxt"):
            text, plural = fields.pop("msgid"), fields.pop("msgid_plural")
            yield key, text, plural, " ".join(comment), flags, list(fields.values())


def accessor(key, text, plural, comment):
    """The Swift declaration of one text."""
    values = list(dict.fromkeys(VALUE.findall(text + plural)))
    shown = (plural or text).split("\n")[0]
    doc = [f"    /// “{shown}”: {comment}"]
    if "count" not in values and not values:
        return doc + [f'    package var {key}: String {{ text("{key}") }}']
    parts = [value for value in values if value != "count"]
    parameters = ", ".join(f"{v}: Int" if v == "count" else f"{v}: Part" for v in values)
    count = "count: count, " if "count" in values else ""
    if not parts:
        return doc + [f'    package func {key}(count: Int) -> String {{', f'        self.text("{key}", count: count)', "    }"]
    pairs = ", ".join(f'"{part}": {part}' for part in parts)
    return doc + [
        f"    package func {key}<Part: TextPart>({parameters}) -> Part {{",
        f'        self.text("{key}", {count}[{pairs}])',
        "    }",
    ]


def accessors():
    lines = [
        "// Written by Scripts/texts.py from texts.pot; not to be edited.",
        "",
        "extension Texts {",
    ]
    for index, (key, text, plural, comment, *_) in enumerate(messages()):
        if index:
            lines.append("")
        lines += accessor(key, text, plural, comment)
    source = "\n".join(lines + ["}", ""])
    return run(["swift", "format", "--configuration", ROOT / ".swift-format"], input=source).stdout


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, **options)


def update():
    for file in sorted(FOLDER.glob("*.po")):
        for command in (
            ["msgmerge", "--quiet", "--update", "--backup=none", "--no-fuzzy-matching", "--no-wrap", file, TEMPLATE],
            ["msgattrib", "--no-obsolete", "--no-wrap", "-o", file, file],
        ):
            done = run(command)
            if done.returncode:
                sys.exit(done.stderr.strip())
    source = accessors()
    if not source:
        sys.exit("texts: swift format does not read what was written")
    if not ACCESSORS.exists() or ACCESSORS.read_text() != source:
        ACCESSORS.write_text(source)
    for file in sorted(FOLDER.glob("*.po")):
        print(file.name + ": " + run(["msgfmt", "--statistics", "-o", "/dev/null", file]).stderr.strip())


def problems():
    """What is not right, a line each."""
    if not shutil.which("msgfmt"):
        yield "gettext is needed: Scripts/setup.sh tests installs it"
        return
    every = list(messages())
    keys = [key for key, *_ in every]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield f"{key} is in the template twice"
    for key, text, plural, comment, flags, _ in every:
        if not re.fullmatch(r"[a-z][A-Za-z0-9]*", key):
            yield f"{key} is no name in Swift"
        if not comment:
            yield f"{key} has no comment (#.) that tells translators where it stands"
        if VALUE.search(text + plural) and FLAG not in flags:
            yield f"{key} has values, and so needs the flag #, {FLAG}"
        if plural and "{count}" not in plural:
            yield f"{key} has a plural without {{count}}"
    for file in sorted(FOLDER.glob("*.po")):
        yield from language_problems(file, {key: text for key, text, *_ in every})
    if ACCESSORS.read_text() != accessors():
        yield f"{ACCESSORS.name} is not what the template says: run Scripts/texts.py"
    used = used_keys()
    yield from (f"{key} is used nowhere" for key in keys if key not in used)


def language_problems(file, template):
    checked = run(["msgfmt", "--check", "-o", "/dev/null", file])
    if checked.returncode:
        yield from (line.replace(str(FOLDER) + "/", "") for line in checked.stderr.splitlines())
    there = {key: (text, flags, forms) for key, text, _, _, flags, forms in messages(file)}
    for key, text in template.items():
        english, flags, forms = there.get(key, ("", "", []))
        if not all(forms) or not forms:
            yield f"{file.name}: {key} is not translated: {text!r}"
        elif english != text:
            yield f"{file.name}: {key} has another English than the template: run Scripts/texts.py"
        elif "fuzzy" in flags:
            yield f"{file.name}: {key} is marked as fuzzy"
    yield from (f"{file.name}: {key} is not in the template" for key in there if key not in template)


def used_keys():
    """The texts that sources call: `texts.key`, `$0.key`, and in an extension of Texts the key alone."""
    used = set()
    for file in (ROOT / "Sources").rglob("*.swift"):
        if file == ACCESSORS:
            continue
        source = file.read_text()
        used.update(re.findall(CALL, source))
        used.update(re.findall(r"\.of\([^()]*\)\)\.(\w+)", source))
        if "extension Texts" in source:
            used.update(re.findall(r"(?<![\w.\"])[a-z]\w+", re.sub(r"//.*", "", source)))
    return used


def main():
    if sys.argv[1:] == ["--check"]:
        found = list(problems())
        for line in found:
            print(f"texts: {line}", file=sys.stderr)
        sys.exit(1 if found else 0)
    if sys.argv[1:]:
        sys.exit(__doc__)
    update()


main()
