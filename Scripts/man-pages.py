#!/usr/bin/env python3
"""Writes the man pages of openstore: openstore.1, and openstore-NOUN.1 for each noun.

usage: man-pages.py PROGRAM FOLDER

What they say is what `PROGRAM help --json` says. Their date is $SOURCE_DATE_EPOCH's, or today.
"""

import json
import os
import re
import subprocess
import sys
import time


def escaped(text):
    """Text as roff takes it: nothing in it is a request or an escape."""
    text = text.replace('\\', '\\e').replace('-', '\\-')
    for sign, name in (("'", '\\(aq'), ('^', '\\(ha'), ('~', '\\(ti'), ('`', '\\(ga'), ('"', '\\(dq')):
        text = text.replace(sign, name)
    return '\\&' + text if text.startswith('.') else text


def bold(text):
    return '\\fB' + escaped(text) + '\\fR'


def italic(text):
    return '\\fI' + escaped(text) + '\\fR'


def marked(usage):
    """A line of usage: what is typed so in bold, what stands for something else in italics."""
    def word(match):
        is_typed = re.fullmatch('-.*|[a-z][a-z0-9-]*', match[0])
        return bold(match[0]) if is_typed else italic(match[0])
    return re.sub(r'[^\s\[\]|,…]+', word, usage).replace('|', '|\\:')


def paragraphs(text):
    """Paragraphs of prose, which have an empty line between them."""
    lines = []
    for paragraph in re.split(r'\n\s*\n', text.strip()):
        words = ' '.join(paragraph.split())
        if words:
            lines += ['.PP', *sentences(words)]
    return lines


def sentences(text):
    """A line for each sentence, as roff wants it."""
    return [escaped(one) for one in re.split(r'(?<=\.) (?=[A-Z])', ' '.join(text.split()))]


def item(name, text):
    return ['.TP', name, *(sentences(text) or ['\\&'])]


def form(option):
    return marked('--' + ' '.join([option['name']] + ([option['value']] if option['value'] else [])))


class Manual:
    """The pages of one program."""

    def __init__(self, tree, date):
        self.tree = tree
        self.date = date
        self.nouns = [noun for group in tree['groups'] for noun in group['nouns']]

    def page(self, name, summary, lines):
        start = [
            "'\\\" -*- coding: UTF-8 -*-",
            f'.TH {name.upper()} 1 "{self.date}" "openstore {self.tree["version"]}" "User Commands"',
            # No hyphens within words and names, and ragged lines: commands are copied from here.
            '.nh', '.ad l',
            '.SH NAME', f'{escaped(name)} \\- {escaped(summary.rstrip("."))}',
        ]
        return '\n'.join(start + lines) + '\n'

    def program(self):
        tree = self.tree
        lines = ['.SH SYNOPSIS', '\\fBopenstore\\fR \\fINOUN\\fR [\\fIVERB\\fR] [\\fIOPTIONS\\fR]']
        lines += ['.SH DESCRIPTION', *sentences(tree['summary']), '.SH COMMANDS']
        for group in tree['groups']:
            lines += [f'.SS "{escaped(group["title"])}"']
            for noun in group['nouns']:
                lines += item(f'.BR {escaped("openstore-" + noun["name"])} (1)', noun['summary'])
        lines += ['.SH OPTIONS', 'Many commands take these:']
        for option in tree['sharedOptions']:
            lines += item(form(option), option['help'])
        lines += ['.SH ENVIRONMENT', 'Each variable stands for an option:']
        for variable, option in sorted(self.variables().items()):
            lines += item(bold(variable), f'--{option["name"]}: {option["help"]}')
        lines += ['.SH FILES', *item('\\fI/etc/openstore/openstore.conf\\fR', (
            'Settings of a store, which openstore configuration prints. What is given on the command line '
            'or in the environment comes first.'))]
        lines += ['.SH "EXIT STATUS"']
        for code in tree['exitCodes']:
            lines += item(bold(str(int(code['code']))), code['meaning'])
        pages = ', '.join(f'\\fB{escaped("openstore-" + noun["name"])}\\fR(1)' for noun in self.nouns)
        lines += ['.SH "SEE ALSO"', pages.replace(', ', ',\n')]
        return self.page('openstore', tree['summary'].removeprefix('openstore is '), lines)

    def variables(self):
        """The options that variables of the environment stand for."""
        found = {}
        options = self.tree['sharedOptions'] + [
            option for noun in self.nouns for command in noun['commands'] for option in command['options']]
        for option in options:
            if option['variable']:
                found.setdefault(option['variable'], option)
        return found

    def noun(self, noun):
        commands = noun['commands']
        lines = ['.SH SYNOPSIS']
        for command in commands:
            lines += ['.HP', marked(' '.join(command['usage'].split()))]
        lines += ['.SH DESCRIPTION', *sentences(noun['summary'])]
        if noun['isCommand']:
            lines += self.command(commands[0])[1:]
        else:
            lines += ['.SH COMMANDS']
            for command in commands:
                lines += [f'.SS "{escaped("openstore " + " ".join(command["words"]))}"']
                lines += self.command(command)
        lines += ['.SH "SEE ALSO"', '.BR openstore (1),', 'for options that many commands take, variables and exit codes.']
        return self.page('openstore-' + noun['name'], noun['summary'], lines)

    @staticmethod
    def command(command):
        """The summary first, and what there is to say behind it."""
        lines = [' '.join(sentences(command['summary']))]
        lines += paragraphs(command['discussion'] or '')
        for argument in command['arguments'] + ([command['rest']] if command['rest'] else []):
            lines += item(italic(argument['name']), argument['help'])
        for option in sorted(command['options'], key=lambda one: not one['isRequired']):
            if not option['isShared']:
                lines += item(form(option), option['help'])
        return lines


def main(program, folder):
    answer = subprocess.run([program, 'help', '--json'], check=True, stdout=subprocess.PIPE).stdout
    tree = json.loads(answer)
    moment = int(os.environ.get('SOURCE_DATE_EPOCH') or time.time())
    manual = Manual(tree, time.strftime('%Y-%m-%d', time.gmtime(moment)))
    os.makedirs(folder, exist_ok=True)
    pages = {'openstore': manual.program()}
    for noun in manual.nouns:
        pages['openstore-' + noun['name']] = manual.noun(noun)
    for name, text in pages.items():
        with open(os.path.join(folder, name + '.1'), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    if len(sys.argv) != 3:
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] in (['-h'], ['--help']) else 64)
    main(*sys.argv[1:])
