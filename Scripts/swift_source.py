"""Reads from Swift sources what the generated reference says: documentation of declarations, calls and their
arguments, constants. Whatever is not of the form that is looked for is an error, never passed over."""

import functools
import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class NotRead(Exception):
    """A source is not of the form that the reference is made of."""


def literal_end(text, start):
    """Where a text of one line ends that begins at a position: behind its last `"`, with what is filled in."""
    position = start + 1
    while position < len(text) and text[position] != '\n':
        if text.startswith('\\(', position):
            position = closed(text, position + 2)
        elif text[position] == '\\':
            position += 2
        elif text[position] == '"':
            return position + 1
        else:
            position += 1
    raise NotRead(f'a text that is not read: {text[start:start + 60]}')


def closed(text, position):
    """Behind the parenthesis that closes what is open at a position."""
    depth = 1
    while position < len(text):
        if text[position] == '"':
            position = literal_end(text, position)
            continue
        depth += {'(': 1, ')': -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            return position
    raise NotRead(f'a parenthesis that is not closed: {text[-60:]}')


@functools.cache
def read(file):
    with open(os.path.join(ROOT, file), encoding='utf-8') as text:
        return text.read()


@functools.cache
def swift_files(*folders):
    found = []
    for folder in folders:
        found += glob.glob(os.path.join(ROOT, folder, '**', '*.swift'), recursive=True)
    return [os.path.relpath(one, ROOT) for one in sorted(found)]


def paragraphs(lines):
    """The paragraphs of a documentation comment."""
    text = '\n'.join(line.strip().removeprefix('///').removeprefix(' ') for line in lines)
    return [' '.join(part.split()) for part in text.split('\n\n') if part.strip()]


def documented(file, form, begin=None):
    """Declarations whose line fits a form, in their order: its groups, and the paragraphs of their documentation.

    `begin` is a line behind which they stand, up to the end of its type. Each has to have documentation.
    """
    text = read(file)
    if begin is not None:
        start = text.find(begin)
        if start < 0:
            raise NotRead(f'{file} has no "{begin}"')
        indent = len(re.search(r'[^\n]*$', text[:start])[0])
        end = re.compile(rf'^ {{{indent}}}}}', re.MULTILINE).search(text, start)
        text = text[start:end.start() if end else len(text)]
    found, comment = [], []
    for line in text.split('\n'):
        if line.strip().startswith('///'):
            comment.append(line)
            continue
        match = re.match(form, line)
        if match:
            if not comment:
                raise NotRead(f'{file}: {match[1]} has no documentation')
            found.append((*match.groups(), paragraphs(comment)))
        if line.strip() and not line.strip().startswith('@'):
            comment = []
    if not found:
        raise NotRead(f'{file}: nothing is of the form {form}')
    return found


def cases(file, begin):
    """The cases of an enumeration whose values are texts: name, value, documentation."""
    return [(name, value or name, doc) for name, value, doc in documented(
        file, r'\s*case `?(\w+)`?(?: = "([^"]*)")?(?:\(.*)?$', begin)]


def pieces(text, start):
    """The arguments of a call, each as it is written; `start` is behind its opening parenthesis."""
    depth, position, begin, found = 0, start, start, []
    while position < len(text):
        letter = text[position]
        if letter == '"':
            position = literal_end(text, position)
            continue
        if letter in '([{':
            depth += 1
        elif letter in ')]}':
            if depth == 0:
                found.append(text[begin:position].strip())
                return [one for one in found if one]
            depth -= 1
        elif letter == ',' and depth == 0:
            found.append(text[begin:position].strip())
            begin = position + 1
        position += 1
    raise NotRead(f'a call without an end: {text[start:start + 60]}')


def calls(file, name):
    """The arguments of each call in a file; `name` is a regular expression up to the parenthesis."""
    text = read(file)
    for found in re.finditer(rf'{name}\(', text):
        line = text[text.rfind('\n', 0, found.start()) + 1:found.start()]
        if line.lstrip().startswith('//') or re.search(r'\b(func|init)\s*$', line):
            continue
        yield found, pieces(text, found.end())


def label(argument):
    """An argument's label, None without one, and its value."""
    found = re.match(r'([A-Za-z]+):\s*(.*)$', argument, re.DOTALL)
    return (found[1], found[2].strip()) if found else (None, argument)


def sentence(expression):
    """A text as people read it: literals that are added, with … for what is filled in; None for anything else."""
    position, text = 0, ''
    while True:
        if not expression.startswith('"', position) or expression.startswith('"""', position):
            return None
        end = literal_end(expression, position)
        text += expression[position + 1:end - 1]
        more = re.compile(r'\s*\+\s*').match(expression, end)
        if not more:
            return plain(text) if not expression[end:].strip() else None
        position = more.end()


def plain(text):
    """What a literal stands for."""
    made, position = '', 0
    while position < len(text):
        if text.startswith('\\(', position):
            position = closed(text, position + 2)
            made += '…'
        elif text[position] == '\\':
            made += {'n': ' ', '"': '"', '\\': '\\'}.get(text[position + 1], '')
            position += 2
        else:
            made += text[position]
            position += 1
    return made


def constant(file, name):
    """The value of a constant or of a parameter's default, as it is written."""
    found = re.search(rf'\b(?:let|var) {name}(?:: [\w<>.\[\]]+)? = ([^\n]+)$|\b{name}: [\w.]+ = ([^,\n)]+(?:\([^)]*\))?)',
                      read(file), re.MULTILINE)
    if not found:
        raise NotRead(f'{file} has no constant {name}')
    return (found[1] or found[2]).strip().rstrip(',')


def number(text):
    """The number that an expression of numbers stands for."""
    text = text.replace('_', '').replace('.seconds(', '(')
    if not re.fullmatch(r'[\d\s*+<().]+', text):
        raise NotRead(f'"{text}" is no number')
    # Digits and signs of arithmetic, nothing else.
    return eval(text)  # noqa: S307
