"""The blocks of documents that are run, and the comparison of what they show with what there is.

Scripts/test-documents.py says how they are written.
"""

import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: A document each of whose blocks is wrong.
WRONG = os.path.join('Tests', 'Documents', 'Wrong.md')
#: What may be needed, and whether it is left out unless asked for.
NEEDS = {
    'nothing': False, 'checkout': False, 'store': False, 'app': False, 'purchase': False,
    'backend': False, 'postgres': False, 's3': False, 'root': False, 'network': True,
    'build': True, 'systemd': True, 'docker': True, 'java': True, 'person': True,
}
TAGS = {'needs', 'exit', 'output', 'serves', 'stdin'}
#: Names of a language that hide commands from this program.
OTHER_SHELLS = {'', 'shell', 'bash', 'console', 'shell-session', 'zsh', 'terminal'}
COMMAND = re.compile(r'\s{4,}(\$ |(sudo |exec )?(openstore|curl|make|swift|docker|systemctl|psql) )')


class Problem(Exception):
    """A block that can't be understood, with its place."""

    def __init__(self, place, text):
        super().__init__(f'{place}: {text}')
        self.place, self.text = place, text


class Step:
    """A command or a request, with its place and what it is shown to print."""

    def __init__(self, line, text, expected=None):
        self.line, self.text, self.expected = line, text, expected


class Block:
    def __init__(self, file, line, language, tags, lines):
        self.file, self.line, self.language, self.lines = file, line, language, lines
        self.tags = tags
        self.needs = tags['needs']
        self.serves = 'serves' in tags
        self.exit = int(tags.get('exit', 0))
        self.stdin = tags.get('stdin', '').replace('\\n', '\n')
        self.steps = [Step(line + 1, '\n'.join(lines))] if language == 'http' else self.commands()

    @property
    def place(self):
        return f'{self.file}:{self.line}'

    def left_out(self, asked):
        """What it needs and nobody asked for."""
        return [one for one in self.needs if NEEDS[one] and one not in asked]

    def commands(self):
        is_transcript = any(line.startswith('$ ') for line in self.lines)
        steps, words, begin = [], [], 0
        for number, line in enumerate(self.lines, self.line + 1):
            if is_transcript and not words:
                if not line.startswith('$ '):
                    if not steps:
                        if line.strip():
                            raise Problem(f'{self.file}:{number}', 'a transcript begins with "$ "')
                    elif self.tags.get('output') != 'differs':
                        steps[-1].expected.append((number, line))
                    continue
                line = line[2:]
            elif is_transcript and line.startswith('> '):
                line = line[2:]
            if not words:
                begin = number
            words.append(line)
            text = '\n'.join(words)
            if is_whole(text):
                if not all(not one.strip() or one.lstrip().startswith('#') for one in words):
                    steps.append(Step(begin, text, [] if is_transcript else None))
                words = []
        if words:
            raise Problem(f'{self.file}:{begin}', 'a command without an end')
        return steps


def is_whole(text):
    """Whether a shell needs no further line."""
    if re.search(r'(^|[^\\])(\\\\)*\\$', text):
        return False
    if not re.search(r'''[\n'"`({]|<<|\b(if|for|while|until|case)\b|[|&]\s*$''', text):
        return True
    done = subprocess.run(['bash', '-n'], input=text + '\n', capture_output=True, text=True)
    return done.returncode == 0 and not done.stderr


def parse_tags(place, text):
    """`[needs=store,app exit=64]` as a dictionary."""
    found = re.fullmatch(r'\[([^\]]*)\]', text.strip())
    if not found:
        raise Problem(place, 'no tag says what the block needs: ```sh [needs=…]')
    tags = {}
    for word in re.findall(r'[a-z]+=[^\s]+|\S+', found[1]):
        name, _, value = word.partition('=')
        if name not in TAGS:
            raise Problem(place, f'"{name}" is no tag; there are {", ".join(sorted(TAGS))}')
        tags[name] = value
    needs = tags.get('needs', '').split(',')
    for one in needs:
        if one not in NEEDS:
            raise Problem(place, f'"{one}" is nothing that a block may need: {", ".join(NEEDS)}')
    if not tags.get('exit', '0').isdigit() or tags.get('output', 'differs') != 'differs':
        raise Problem(place, 'exit=NUMBER and output=differs are the forms of these tags')
    tags['needs'] = needs
    return tags


def parse(file, text):
    """The blocks of a document that are run, and the problems of the others."""
    blocks, problems = [], []
    lines = text.split('\n')
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        fence = re.match(r'( *)(`{3,}|~{3,})\s*([^\s`\[]*)\s*(.*)$', line)
        hidden = re.match(r'()(<!--)\s+(sh|http)\s+(\[.*\])\s*$', line)
        opening = fence or hidden
        if not opening:
            if COMMAND.match(line) and not is_listed(lines, number - 1):
                problems.append(Problem(f'{file}:{number}', 'a command in an indented block: use a fence'))
            continue
        indent, mark, language, info = opening.groups()
        place, begin, inside = f'{file}:{number}', number, []
        while number < len(lines):
            line = lines[number]
            number += 1
            if line.strip() == '-->' if hidden else re.fullmatch(rf' *{re.escape(mark)}[`~]*\s*', line):
                break
            inside.append(line[len(indent):] if line.startswith(indent) else line)
        else:
            problems.append(Problem(place, 'the block has no end'))
        try:
            if language in OTHER_SHELLS:
                raise Problem(place, 'the block has no language: "sh [needs=…]" is run, "text" is for reading')
            if language in ('sh', 'http'):
                blocks.append(Block(file, begin, language, parse_tags(place, info), inside))
        except Problem as problem:
            problems.append(problem)
    return blocks, problems


def is_listed(lines, index):
    """Whether the line goes on with an item of a list."""
    while index > 0:
        index -= 1
        if lines[index].strip():
            return bool(re.match(r'\s*([-*+]|\d+\.)\s|\s+\S', lines[index]))
    return False


# What is shown, and what there is


def pattern(text):
    """A regular expression for a line: spaces, numbers, hexadecimal digits and codes may be others."""
    code = r'(?=[A-Za-z+/_=-]*\d)(?=[a-z0-9+/_=-]*[A-Z])[A-Za-z0-9+/_=-]{16,}'
    parts = re.split(rf'(…|\s+|{code}|[0-9A-Fa-f]{{8,}}(?:-[0-9A-Fa-f]+)*|\d[\d.,:]*)', text.strip())
    made = ''
    for part in parts:
        if part == '…':
            made += '.*'
        elif part.isspace():
            made += r'\s+'
        elif re.fullmatch(code, part):
            made += '[A-Za-z0-9+/_=-]+'
        elif re.fullmatch(r'[0-9A-Fa-f]{8,}[0-9A-Fa-f-]*', part):
            made += '[0-9A-Fa-f-]+'
        elif re.fullmatch(r'\d[\d.,:]*', part):
            made += r'\d[\d.,:]*'
        else:
            made += re.escape(part)
    return made


def missing(expected, output):
    """The first line, with its number, that is not printed behind those before it; None where all are."""
    printed = [line.strip() for line in output.replace('\r', '\n').split('\n')]
    position = 0
    for number, line in expected:
        if line.strip() in ('', '…'):
            continue
        wanted = re.compile(pattern(line))
        while position < len(printed) and not wanted.fullmatch(printed[position]):
            position += 1
        if position == len(printed):
            return number, line
        position += 1
    return None


class Exchange:
    """A request and the answer that a `http` block shows."""

    def __init__(self, text):
        request, answer = re.match(r'(.*?)(?:(?:^|\n)(HTTP/1\.1 .*))?$', text, re.DOTALL).groups()
        head, _, self.body = request.strip('\n').partition('\n\n')
        first, *headers = head.split('\n')
        self.method, _, self.path = first.strip().partition(' ')
        self.path = self.path.strip().removesuffix(' HTTP/1.1')
        # A body may follow without an empty line.
        for index, line in enumerate(headers):
            if not re.match(r'[A-Za-z][A-Za-z0-9-]*: ', line):
                self.body = '\n'.join(headers[index:])
                headers = headers[:index]
                break
        self.headers = dict(line.split(': ', 1) for line in headers)
        self.status, self.answer_headers, self.answer = None, {}, ''
        if answer:
            head, _, self.answer = answer.partition('\n\n')
            first, *headers = head.split('\n')
            self.status = int(first.split()[1])
            self.answer_headers = dict(line.split(': ', 1) for line in headers if ': ' in line)

    def difference(self, status, headers, body):
        """What is not as it is shown; None where all is."""
        if self.status != status and not (self.status is None and 200 <= status < 300):
            return f'the status is {status}'
        for name, value in self.answer_headers.items():
            if not re.fullmatch(pattern(value), headers.get(name, '')):
                return f'the header {name} is {headers.get(name)}'
        if not self.answer.strip():
            return None
        shown = shown_json(self.answer)
        if shown is None:
            lost = missing(list(enumerate(self.answer.split('\n'))), body)
            return lost and f'the answer lacks: {lost[1]}'
        try:
            return json_difference(shown, json.loads(body))
        except ValueError:
            return 'the answer is no JSON'


def shown_json(text):
    """The JSON of a document, where `…` may stand for members and elements; None where it is none."""
    text = re.sub(r',?\s*…\s*(?=[\]}])|(?<=[\[{])\s*…\s*,?', '', text)
    try:
        return json.loads(text)
    except ValueError:
        return None


def json_difference(shown, there, path=''):
    """What is shown and not there: members of objects, elements from the first on, texts as patterns."""
    if isinstance(shown, dict):
        if not isinstance(there, dict):
            return f'{path or "the answer"} is no object'
        for name, value in shown.items():
            if name not in there:
                return f'{path}/{name} is missing'
            found = json_difference(value, there[name], f'{path}/{name}')
            if found:
                return found
    elif isinstance(shown, list):
        if not isinstance(there, list) or len(there) < len(shown):
            return f'{path} has less than {len(shown)} elements'
        for index, value in enumerate(shown):
            found = json_difference(value, there[index], f'{path}/{index}')
            if found:
                return found
    elif isinstance(shown, bool) or shown is None:
        if shown is not there:
            return f'{path} is {json.dumps(there)}'
    elif isinstance(shown, (int, float)):
        if isinstance(there, bool) or not isinstance(there, (int, float)):
            return f'{path} is {json.dumps(there)}'
    elif not isinstance(there, str) or not re.fullmatch(pattern(shown), there.strip(), re.DOTALL):
        return f'{path} is {json.dumps(there)}'
    return None


def documents(root=ROOT):
    """Every document of the repository that is not there to fail."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if not one.startswith('.') and one != 'node_modules')
        found += [os.path.relpath(os.path.join(folder, one), root)
                  for one in sorted(names) if one.endswith('.md')]
    return [one for one in found if one != WRONG]


# Calls of `openstore`, whether they are run or not


class Commands:
    """What `openstore help --json` says of the commands."""

    def __init__(self, tree):
        self.commands = {
            tuple(command['words']): {option['name'] for option in command['options']}
            for group in tree['groups'] for noun in group['nouns'] for command in noun['commands']}
        self.beginnings = {words[:count] for words in self.commands for count in range(len(words) + 1)}

    def problem(self, call):
        """What is wrong with the words behind `openstore`; None where nothing is."""
        words = call.split()
        named = []
        for word in words:
            if tuple(named) in self.commands or not re.fullmatch(r'[a-z][a-z0-9-]*', word):
                break
            named.append(word)
        if tuple(named) not in self.beginnings:
            return f'there is no command "openstore {" ".join(named)}"'
        options = self.commands.get(tuple(named))
        if options is None:
            return None
        inner = words[:words.index('--')] if '--' in words else words
        for word in inner:
            found = re.match(r'\[?--([a-z][a-z0-9-]*)', word)
            if found and found[1] not in options | {'help', 'version'}:
                return f'"openstore {" ".join(named)}" has no option --{found[1]}'
        return None


def calls(file, text, blocks):
    """The calls of `openstore` in a document: in its blocks, and in the code inside of its sentences."""
    for block in blocks:
        if block.language == 'sh':
            for step in block.steps:
                line = step.text.replace('\\\n', ' ')
                for found in re.finditer(r'(?:^|[|;&(]\s*|\b(?:sudo|exec|then|do)\s+|=\S+\s+)openstore\s+([^|;&>)\n]+)', line):
                    yield f'{file}:{step.line}', found[1]
    prose = re.sub(r'^( *)(`{3,}).*?^ *\2`*$', lambda found: '\n' * found[0].count('\n'), text,
                   flags=re.DOTALL | re.MULTILINE)
    for found in re.finditer(r'(?<!`)`openstore ([^`]+)`(?!`)', prose):
        yield f'{file}:{prose.count(chr(10), 0, found.start()) + 1}', found[1].replace('\n', ' ')
