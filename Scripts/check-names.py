#!/usr/bin/env python3
"""Says which names break the rules of Documentation/Contributors/Glossary.md: a type or a file that has a retired
word, and a type that two modules have.

usage: check-names.py

A module may have a type of Apple's name (StoreKit's public ones) beside its own: apps see only the former."""

import collections
import os
import re
import sys

from swift_source import ROOT, read, swift_files

GLOSSARY = 'Documentation/Contributors/Glossary.md'
DECLARATION = re.compile(
    r'^(?P<indent> *)(?:@\w+(?:\([^)]*\))? )*(?P<access>(?:(?:public|package|private|fileprivate|open|final|indirect|nonisolated) )*)'
    r'(?:class|struct|enum|protocol|actor|typealias) `?(?P<name>\w+)`?(?P<rest>.*)', re.MULTILINE)


def retired():
    """The retired words of the glossary: a pattern for names, and what to write instead."""
    rows = re.findall(r'^\| `(…?)(\w+)(…?)` \| (.+?) \|$', read(GLOSSARY).partition('## Retired words')[2], re.MULTILINE)
    if not rows:
        sys.exit(f'check-names: {GLOSSARY} has no list of retired words')
    return [(re.compile((r'(?<=[a-z0-9])' if before else r'(?<![A-Z])') + word
                        + ('' if after else r's?$' if before else r'(?![a-z])')),
             instead) for before, word, after, instead in rows]


def declarations(folder):
    """Types of the Swift files below a folder: file, line, name, whether another module could see it, and what
    follows its name."""
    for file in swift_files(folder):
        text = read(file)
        for found in DECLARATION.finditer(text):
            is_top = not found['indent'] and 'private' not in found['access']
            yield file, text.count('\n', 0, found.start()) + 1, found, is_top


def main():
    words = retired()
    problems, modules, apples = [], collections.defaultdict(dict), set()
    for folder in ('Sources', 'Tests'):
        for file, line, found, is_top in declarations(folder):
            name = found['name']
            for pattern, instead in words:
                if pattern.search(name):
                    problems.append(f'{file}:{line}: {name}: the glossary has {instead}')
            if folder == 'Sources' and is_top:
                if 'public' in found['access'] and file.startswith('Sources/Client/'):
                    apples.add(name)
                # An alias for another module's type of the same name is that type.
                if not re.fullmatch(rf' = \w+\.{name}', found['rest']):
                    modules[name].setdefault(file.split(os.sep)[2], f'{file}:{line}')
        for file in swift_files(folder):
            stem = os.path.basename(file).removesuffix('.swift').partition('+')[0]
            problems += [f'{file}: the file {stem}: the glossary has {instead}'
                         for pattern, instead in words if pattern.search(stem)]
    for name, places in sorted(modules.items()):
        if len(places) > 1 and name not in apples:
            problems.append(f"{name} is a type of two modules: {', '.join(places.values())}")
    if problems:
        print('check-names: names are those of the glossary, one for each thing', file=sys.stderr)
        for problem in dict.fromkeys(problems):
            print(f'  {problem}', file=sys.stderr)
        sys.exit(1)


if __name__ == '__main__':
    main()
