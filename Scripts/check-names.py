#!/usr/bin/env python3
"""Says which names break the rules of Documentation/Contributors/Glossary.md: a type, a file or a folder that has a
retired word, and a type that two modules have.

usage: check-names.py

One module may have a type of the same name as a public one of StoreKit: those names are Apple's."""

import collections
import os
import re
import sys

from swift_source import read, swift_files

GLOSSARY = 'Documentation/Contributors/Glossary.md'
FOLDERS = ('Sources', 'Tests', 'Benchmarks', 'Examples', 'Fuzz')
ATTRIBUTE = r'@\w+(?:\((?:[^()]|\([^()]*\))*\))? '
DECLARATION = re.compile(
    rf'^(?P<indent> *)(?:{ATTRIBUTE})*'
    r'(?P<access>(?:(?:public|package|internal|private|fileprivate|open|final|indirect|nonisolated) )*)'
    r'(?:class|struct|enum|protocol|actor|typealias) `?(?P<name>\w+)`?(?P<rest>.*)', re.MULTILINE)
WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+')


def retired():
    """The retired words of the glossary: the word and its plural, whether it counts as the last one of a longer name only, and what
    to write instead."""
    table = read(GLOSSARY).partition('## Retired words')[2]
    rows = re.findall(r'^\| `(…?)(\w+)` \| (.+?) \|$', table, re.MULTILINE)
    # Its heading and the line below it are rows, too.
    if not rows or len(rows) + 2 != table.count('\n|'):
        sys.exit(f'check-names: a row of retired words in {GLOSSARY} is not read')
    return [({word, word + 's'}, bool(before), instead) for before, word, instead in rows]


def problem(name, words):
    """What the glossary has instead of a name; None where it may stay."""
    parts = WORD.findall(name.replace('StoreKit', 'Storekit'))
    for forms, is_last, instead in words:
        if not forms.isdisjoint(parts[1:][-1:] if is_last else parts):
            return f'{name}: the glossary has {instead}'
    return None


def declarations(folder):
    """Types of the Swift files below a folder: file, line, the match, whether another module could see it."""
    for file in swift_files(folder):
        text = read(file)
        for found in DECLARATION.finditer(text):
            is_top = not found['indent'] and 'private' not in found['access']
            yield file, text.count('\n', 0, found.start()) + 1, found, is_top


def main():
    words = retired()
    problems, modules, public_names, names = [], collections.defaultdict(dict), set(), set()
    for folder in FOLDERS:
        for file in swift_files(folder):
            names.update((file, part) for part in file.removesuffix('.swift').replace('+', os.sep).split(os.sep))
        for file, line, found, is_top in declarations(folder):
            name = found['name']
            names.add((f'{file}:{line}', name))
            if folder == 'Sources' and is_top:
                if 'public' in found['access'] and file.startswith('Sources/Client/'):
                    public_names.add(name)
                # An alias for another module's type of the same name is that type.
                if not re.fullmatch(rf' = \w+\.{name}', found['rest']):
                    modules[name].setdefault(file.split(os.sep)[2], f'{file}:{line}')
    for where, name in sorted(names):
        if why := problem(name, words):
            problems.append(f'{where}: {why}')
    for name, places in sorted(modules.items()):
        if len(places) > (2 if name in public_names else 1):
            problems.append(f"{name} is a type of two modules: {', '.join(places.values())}")
    if problems:
        print('check-names: names are those of the glossary, one for each thing', file=sys.stderr)
        for one in dict.fromkeys(problems):
            print(f'  {one}', file=sys.stderr)
        sys.exit(1)


if __name__ == '__main__':
    main()
