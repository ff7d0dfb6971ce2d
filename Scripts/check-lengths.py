#!/usr/bin/env python3
"""Checks that no function in Sources has more than 60 lines, from its declaration to its closing brace.

What is longer does several things: each part gets a name of its own. Initializers that put a program
together are as long as it has parts.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 60
FUNCTION = re.compile(r'^( *)(?:@\S+ +|[a-z]+(?:\([a-z]+\))? +)*func +(\S+?) *[(<]')


def long_functions(file):
    lines = file.read_text().split('\n')
    for number, line in enumerate(lines):
        function = FUNCTION.match(line)
        # One that stands on one line, or a requirement of a protocol, has no closing brace.
        if not function or line.endswith('}'):
            continue
        for end in range(number + 1, len(lines)):
            if lines[end] == function[1] + '}':
                if end - number + 1 > LIMIT:
                    yield f'{file.relative_to(ROOT)}:{number + 1}: {function[2]} has {end - number + 1} lines'
                break
            # Anything else at its indentation or before it, but for what ends its parameters, is behind it.
            if lines[end].strip() and not lines[end].startswith(function[1] + ' ') \
                    and not lines[end].startswith(function[1] + ')') and lines[end] != function[1] + '{':
                break


found = [one for file in sorted((ROOT / 'Sources').rglob('*.swift')) for one in long_functions(file)]
if found:
    print('lint: functions have at most 60 lines', *('  ' + one for one in found), sep='\n', file=sys.stderr)
sys.exit(1 if found else 0)
