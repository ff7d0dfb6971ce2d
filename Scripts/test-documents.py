#!/usr/bin/env python3
"""Runs every shell line and every request that a document shows, and compares what it says it prints.

usage: test-documents.py [options] [DOCUMENT...]

    --list         says what there is, and runs nothing
    --json         the outcome as JSON
    --with NEED    also runs blocks that need this (network, build, docker …); several: a comma between
    --openstore F  the program (.build/debug/openstore)

How a document is written

A fenced block has a language. Two of them are run, and have tags in brackets behind their name:

    ```sh [needs=store]                 lines for a shell
    ```http [needs=purchase]            a request, and the answer that it gets

Every other language (swift, json, xml, text, ini, nginx, python …) is for reading. A block without a language, or
called shell, bash or console, is an error: output, pictures and trees of folders are `text`.

The blocks of a document run from top to bottom, in one shell: its folder (empty at the beginning), variables, functions
and files stay. So does what a block began: a server with `&` goes on until the document's end. Each document has a
machine of its own, as far as one sees: home folder, /etc, /srv, /var, /tmp, and network, so 127.0.0.1:8080 is free.
Each line has to succeed, and each command of a pipe.

In `sh`, a block with a line that begins with `$ ` is a transcript: lines with `$ ` (and what follows a `\\`) are
run, the others are what they print. These are looked for in what is printed, one after the other; spaces and
numbers may differ, and so may dates, money, hexadecimal words of 8 digits and codes of 16 letters and digits; `…` stands
for anything, alone in a line for many lines.

Tags, with a space between:

    needs=A,B     what has to be there, from the list below; `needs=nothing` says so
    exit=N        the last command of the block ends with this code; all others with 0
    serves        the block's last command is a server: it goes on while the blocks behind it run, which
                  begin when it answers
    output=differs  the output of a transcript is not compared
    stdin=TEXT    what the commands read; \\n is a new line. Nothing otherwise, and no terminal

A block that a reader need not see stands in an HTML comment: `<!-- sh [needs=…]`, its lines, `-->`.

What a block may need. The names in capitals are variables that are set then: documents write "$APP", and a
reader puts the own app in its place.

    nothing    openstore and Debian's programs (curl, jq, …)
    checkout   the folder is that of the repository (Examples, Deployment, Scripts)
    store      a store that runs, with the bookshop, a subscription "Club" and a tester, on which commands
               work without a further option: OPENSTORE_URL (http://127.0.0.1:8080) OPENSTORE_DATA
               APP (com.example.bookshop) APP_ID (its number) TEAM PRODUCT (com.example.bookshop.chapter1)
               EMAIL PASSWORD (of the tester, a customer of the sandbox)
               TOKEN (for Connect's API) SERVER_TOKEN (for the App Store Server API)
               KEY_ID ISSUER KEY_FILE (what both were made of)
    app        store, and the app's profile: OPENSTORE_PROFILE
    purchase   app, and what the tester has bought: TRANSACTION (chapter 1) SUBSCRIPTION (the first of the
               subscription's) PURCHASE_ID (one that waits for approval)
               RECEIPT (a file) SIGNED_TRANSACTION (a file)
    backend    a server that takes what it gets, and says 200: BACKEND_URL (http://127.0.0.1:9000)
    postgres   a PostgreSQL server: DATABASE_URL (postgres://shop@127.0.0.1:5432/shop)
    s3         an object store: CONTENT_URL (s3://shop?endpoint=…) AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    root       the rights of root, on the document's own /etc, /srv, /var; without systemd

These are not run unless --with asks for them; they are counted, and named:

    network    another machine
    build      compiles with Swift (swift build, make, …)
    systemd    systemd as the first process
    docker     a Docker daemon
    java       a JDK
    person     somebody at a terminal or a browser

A `http` block is a request line (METHOD PATH), header lines, an empty line and a body; and, behind an empty line and
`HTTP/1.1 200 OK`, the answer: its status, those of its header lines that are shown, and those members of its JSON
that are shown, their values as in a transcript. `$NAME` stands for a variable of the shell. Without an Authorization line the request gets the token that belongs to
its path. Nothing is known of the status unless it is shown: it has to be 2xx then.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import document_machine
from document_blocks import NEEDS, ROOT, WRONG, Commands, Problem, calls, documents, parse
from document_machine import Machine, NotThere, Page, enter, has_own_machines, own_machine

THIS = os.path.abspath(__file__)
#: What a page that has no end is given.
PAGE_LIMIT = 600


def blocks_of(file):
    with open(os.path.join(ROOT, file), encoding='utf-8') as text:
        return parse(file, text.read())


def run_page(file, prepared, program, asked, layer, is_own):
    """Runs one document, in this process; gives what became of its lines."""
    blocks, _ = blocks_of(file)
    document_machine.die_with_parent()
    if is_own:
        enter(layer, prepared)
        home, folder = '/home/ada', '/run/documents'
        os.makedirs(folder, mode=0o755)
    else:
        home, folder = f'{layer}/home', f'{layer}/run'
        os.makedirs(folder)
    machine = Machine(home, folder, program, prepared, is_own)
    page = Page(machine, asked)
    try:
        page.run(blocks)
    finally:
        machine.close()
    return page.outcomes


def in_page(file, options, prepared, is_own):
    """Runs one document in a process of its own."""
    blocks, _ = blocks_of(file)
    if all(block.left_out(options.asked) for block in blocks):
        page = Page.__new__(Page)
        page.outcomes = []
        for block in blocks:
            page.tell(block, block.steps, 'left out', 'needs ' + ', '.join(block.left_out(options.asked)))
        return page.outcomes
    layer = tempfile.mkdtemp(prefix='openstore-document-')
    command = [sys.executable, THIS, '--page', json.dumps([
        file, prepared, options.openstore, options.asked, layer, is_own])]
    wants_network = any('network' in block.needs for block in blocks if not block.left_out(options.asked))
    if is_own:
        command = own_machine(command, network=wants_network)
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PAGE_LIMIT)
        return json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, ValueError, IndexError) as problem:
        said = getattr(problem, 'stderr', None) or getattr(locals().get('done'), 'stderr', '')
        return [{'file': file, 'line': blocks[0].line, 'needs': [], 'text': '', 'outcome': 'failed',
                 'problem': f'the document could not be run: {problem!r}', 'output': str(said)[-4000:], 'seconds': 0}]
    finally:
        shutil.rmtree(layer, ignore_errors=True)


def run_all(files, options):
    is_own = has_own_machines()
    prepared = tempfile.mkdtemp(prefix='openstore-documents-')
    try:
        command = [sys.executable, THIS, '--prepare', json.dumps([prepared, options.openstore, is_own])]
        made = subprocess.run(own_machine(command) if is_own else command, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(f'✘ the store of the documents can\'t be made: {made.stderr.strip()}')
        # Those that take long first.
        files = sorted(files, key=lambda file: -sum(len(block.steps) for block in blocks_of(file)[0]))
        width = (os.cpu_count() or 1) if is_own else 1
        with concurrent.futures.ThreadPoolExecutor(width) as pool:
            found = pool.map(lambda file: in_page(file, options, prepared, is_own), files)
            outcomes = [one for page in found for one in page]
        return sorted(outcomes, key=lambda one: (one['file'], one['line']))
    finally:
        shutil.rmtree(prepared, ignore_errors=True)


def wrong_calls(files, program):
    """Calls of `openstore` in documents that no command takes."""
    said = subprocess.run([program, 'help', '--json'], capture_output=True, text=True)
    try:
        commands = Commands(json.loads(said.stdout))
    except (ValueError, KeyError):
        return [Problem(program, f'openstore help --json gives no tree of commands: {said.stderr.strip()}')]
    problems = []
    for file in files:
        # What was called otherwise once stays in the history.
        if file == 'CHANGELOG.md':
            continue
        with open(os.path.join(ROOT, file), encoding='utf-8') as text:
            for place, call in calls(file, text.read(), blocks_of(file)[0]):
                problem = commands.problem(call)
                if problem:
                    problems.append(Problem(place, problem))
    return problems


def unseen(outcomes, problems):
    """The blocks of the document where each has to fail that did not; `outcomes` and `problems` lose its own."""
    blocks, refused = blocks_of(WRONG)
    lines = {one['line'] for one in outcomes if one['file'] == WRONG and one['outcome'] == 'failed'}
    lines |= {int(one.place.rsplit(':', 1)[1]) for one in problems if one.place.startswith(WRONG)}
    passed = [Problem(block.place, 'this block has to fail, and does not') for block in blocks
              if not lines & set(range(block.line, block.line + len(block.lines) + 1))]
    if len(refused) != 5:
        passed.append(Problem(WRONG, f'{len(refused)} blocks are refused, not 5'))
    return ([one for one in outcomes if one['file'] != WRONG],
            [one for one in problems if not one.place.startswith(WRONG)] + passed)


def indented(text, by='    '):
    return '\n'.join(by + line[:300] for line in text.rstrip('\n').split('\n'))


def report(outcomes, problems, seconds):
    for problem in problems:
        print(f'✘ {problem}')
    for one in outcomes:
        if one['outcome'] == 'failed':
            print(f"✘ {one['file']}:{one['line']}: {one['problem'][:300]}\n{indented(one['text'])}")
            if one['output'].strip():
                print(indented(one['output'], '    │ '))
    by_need = collections.defaultdict(collections.Counter)
    for one in outcomes:
        for need in one['needs']:
            by_need[need][one['outcome']] += 1
    for need in NEEDS:
        if need in by_need:
            counts = ', '.join(f'{number} {name}' for name, number in sorted(by_need[need].items(), reverse=True))
            print(f'  {need:<10}{counts}')
    left_out = collections.defaultdict(list)
    for one in outcomes:
        if one['outcome'] == 'left out':
            left_out[one['problem']].append(f"{one['file']}:{one['line']}")
    for reason, places in sorted(left_out.items()):
        print(f'– {reason}: {", ".join(places)}')
    count = collections.Counter(one['outcome'] for one in outcomes)
    failed = count['failed'] + len(problems)
    print(f"{'✘' if failed else '✔'} {len(outcomes)} lines and requests of "
          f"{len({one['file'] for one in outcomes})} documents: {count['passed']} passed, {failed} failed, "
          f"{count['left out']} left out, in {seconds:.0f} s")
    return 1 if failed else 0


def main():
    if sys.argv[1:2] == ['--page']:
        # What a child of this process writes is not taken for the answer.
        answer = os.dup(1)
        os.dup2(2, 1)
        found = run_page(*json.loads(sys.argv[2]))
        os.write(answer, (json.dumps(found) + '\n').encode())
        return 0
    if sys.argv[1:2] == ['--prepare']:
        folder, program, is_own = json.loads(sys.argv[2])
        document_machine.die_with_parent()
        if is_own:
            document_machine.raise_loopback()
        try:
            document_machine.prepare(folder, program)
        except NotThere as reason:
            sys.exit(str(reason))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument('documents', nargs='*')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--json', action='store_true')
    parser.add_argument('--with', dest='asked', default='', metavar='NEED')
    parser.add_argument('--openstore', default=os.path.join(ROOT, '.build/debug/openstore'))
    options = parser.parse_args()
    options.asked = [one for one in options.asked.split(',') if one]
    options.openstore = os.path.abspath(options.openstore)
    began = time.monotonic()
    files = [os.path.relpath(os.path.abspath(one), ROOT) for one in options.documents] or documents()
    parsed = {file: blocks_of(file) for file in files}
    problems = [problem for _, found in parsed.values() for problem in found]
    files = [file for file in files if parsed[file][0]]
    if options.list:
        for file in files:
            for block in parsed[file][0]:
                tags = ' '.join(f'{name}={",".join(value) if name == "needs" else value}' for name, value in block.tags.items())
                print(f'{block.place}: {block.language} [{tags}] {len(block.steps)}')
        for problem in problems:
            print(f'✘ {problem}')
        return 1 if problems else 0
    if not options.documents:
        files.append(WRONG)
    checked = files if options.documents else documents() + [WRONG]
    problems += wrong_calls(checked, options.openstore)
    outcomes = run_all(files, options)
    if not options.documents:
        outcomes, problems = unseen(outcomes, problems)
    if options.json:
        print(json.dumps({'outcomes': outcomes, 'problems': [
            {'place': one.place, 'problem': one.text} for one in problems]}, indent=1))
        return 1 if problems or any(one['outcome'] == 'failed' for one in outcomes) else 0
    return report(outcomes, problems, time.monotonic() - began)


if __name__ == '__main__':
    sys.exit(main())
