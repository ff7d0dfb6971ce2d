"""Runs the built test program, and tells of its tests from Swift Testing's stream of events.

A test that ends its process, or that hangs, costs only itself: the modules that it kept from
ending run once more without it.
"""

import collections
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

# Tests at once. Some wait for sockets and processes, so there are more than processors.
WIDTH = int(os.environ.get('TEST_WIDTH') or 2 * (os.cpu_count() or 1))
# Seconds after which a test that runs is called a hang. No test comes near, on a busy machine either.
HANG = float(os.environ.get('TEST_HANG') or 900)


def module(identifier):
    """The module of a test: `StoreModelTests.Money/adds()/File.swift:1:1` is of StoreModelTests."""
    return identifier.split('.', 1)[0]


def pattern(identifier):
    """What --filter and --skip take for one test: its identifier without the place in a file."""
    name = re.sub(r'/[^/]+\.swift:\d+:\d+$', '', identifier)
    return '^' + re.sub(r'([][\\.^$*+?(){}|/])', r'\\\1', name) + '(/|$)'


def repeat(identifier):
    """The command that runs one test again."""
    name = re.sub(r'/[^/]+\.swift:\d+:\d+$', '', identifier)
    return "make test FILTER='" + name.replace("'", r"'\''") + "'"


class Failure:
    """What went wrong with one test."""

    def __init__(self, identifier, name, what, place=''):
        self.identifier, self.name, self.what, self.place = identifier, name, what, place

    def lines(self):
        return [f'✘ {module(self.identifier)}: {self.name}', f'    {self.what}'] + (
            [f'    {self.place}'] if self.place else [])


class Run:
    """One or more processes of a test program that together run what a filter names."""

    def __init__(self, program, screen, log, filters=(), skips=(), environment=None, name=''):
        self.program, self.screen, self.log, self.name = program, screen, log, name
        self.filters, self.skips = list(filters), list(skips)
        self.environment = dict(os.environ, **(environment or {}))
        self.tests = {}                             # identifier → its description
        self.ended = set()
        self.skipped = set()
        self.failures = []
        self.failed = set()
        self.cases = collections.Counter()          # module → cases that have ended
        self.began = {}                             # module → when its first test began
        self.seconds = collections.Counter()        # identifier → how long its cases took
        self.told = set()                           # modules that have their line
        self.peak = 0                               # of resident memory of a process, in bytes
        self.start = time.monotonic()
        self.lock = threading.Lock()
        self.running = {}                           # identifier → when it began

    # What one process says

    def functions(self, of=None):
        return [i for i, test in self.tests.items()
                if test['kind'] == 'function' and of in (None, module(i))]

    def hear(self, record):
        load = record['payload']
        if record['kind'] == 'test':
            self.tests[load['id']] = load
            return
        kind, identifier = load['kind'], load.get('testID', '')
        is_function = self.tests.get(identifier, {}).get('kind') == 'function'
        place = module(identifier)
        if kind == 'testStarted' and is_function:
            self.began.setdefault(place, time.monotonic())
        elif kind == 'testCaseStarted':
            self.running[identifier] = time.monotonic()
        elif kind == 'testCaseEnded':
            self.cases[place] += 1
            self.seconds[identifier] += time.monotonic() - self.running.get(identifier, time.monotonic())
            self.running[identifier] = time.monotonic()
        elif kind == 'issueRecorded':
            self.hear_issue(identifier, load)
        elif kind in ('testEnded', 'testSkipped') and is_function:
            self.running.pop(identifier, None)
            self.ended.add(identifier)
            if kind == 'testSkipped':
                self.skipped.add(identifier)
            if all(i in self.ended for i in self.functions(place)):
                self.tell(place)
        left = len(self.functions()) - len(self.ended)
        self.screen.move(f'{self.name}{left} tests left, {len(self.failed)} failed')

    def hear_issue(self, identifier, load):
        issue = load.get('issue', {})
        if issue.get('isKnown') or issue.get('severity', 'error') != 'error':
            return
        where = issue.get('sourceLocation') or {}
        path = where.get('_filePath') or where.get('filePath') or where.get('fileID', '?')
        text = '\n'.join(message['text'] for message in load['messages'])
        self.fail(identifier, text, f"{os.path.relpath(path)}:{where.get('line', '?')}")

    def fail(self, identifier, what, place=''):
        name = self.tests.get(identifier, {}).get('displayName') or identifier.split('/')[-2:][0]
        failure = Failure(identifier, name, what.split('\n')[0][:200], place)
        self.failed.add(identifier)
        if identifier not in {one.identifier for one in self.failures}:
            self.failures.append(failure)
        lines = failure.lines()
        lines[1:2] = ['    ' + line for line in what[:4000].split('\n')]
        for line in lines:
            self.screen.line(line)

    def tell(self, place):
        """The line of a module that has come to its end."""
        if place in self.told:
            return
        self.told.add(place)
        names = self.functions(place)
        failed = sum(i in self.failed for i in names)
        text = f'{len(names):5} tests {self.cases[place]:6} cases'
        skipped = sum(i in self.skipped for i in names)
        if skipped:
            text += f', {skipped} skipped'
        if failed:
            text += f', {failed} FAILED'
        seconds = time.monotonic() - self.began.get(place, time.monotonic())
        left = len(self.functions()) - len(self.ended)
        self.screen.step(not failed, place, seconds, f'{text}, {left} left')

    # Processes

    def one(self, filters, skips, environment=None):
        """Runs one process to its end; gives its exit code, negative for a signal."""
        folder = tempfile.mkdtemp()
        pipe = os.path.join(folder, 'events')
        os.mkfifo(pipe)
        # Killed with this program, whatever ends it.
        command = ['setpriv', '--pdeathsig=KILL', '--', self.program, '--testing-library', 'swift-testing', '--event-stream-output-path', pipe,
                   '--event-stream-version', '0', '--experimental-maximum-parallelization-width', str(WIDTH)]
        for one in filters:
            command += ['--filter', one]
        for one in skips:
            command += ['--skip', one]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
                                   start_new_session=True, env=dict(self.environment, **(environment or {})))
        reader = threading.Thread(target=self.read, args=(pipe,), daemon=True)
        reader.start()
        usage = [None]
        code = [None]

        def wait():
            _, status, usage[0] = os.wait4(process.pid, 0)
            code[0] = os.waitstatus_to_exitcode(status)

        waiter = threading.Thread(target=wait, daemon=True)
        waiter.start()
        self.hung = None
        try:
            while waiter.is_alive():
                waiter.join(1)
                now = time.monotonic()
                with self.lock:
                    late = [i for i, began in self.running.items() if now - began > HANG]
                if late and self.hung is None:
                    self.hung = late
                    os.killpg(process.pid, signal.SIGKILL)
        except BaseException:
            # Nothing that was begun goes on without this program.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except OSError:
                pass
            raise
        # A process that ended before it opened the pipe would leave the reader waiting.
        try:
            os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            pass
        reader.join(20)
        os.remove(pipe)
        os.rmdir(folder)
        process.returncode = code[0]
        self.peak = max(self.peak, usage[0].ru_maxrss * 1024)
        return code[0]

    def read(self, pipe):
        with open(pipe, encoding='utf-8', errors='replace') as events:
            for text in events:
                if text.strip():
                    with self.lock:
                        try:
                            self.hear(json.loads(text))
                        except (ValueError, KeyError) as problem:
                            self.screen.line(f'an event of the tests could not be read: {problem!r}')

    def all(self):
        """Runs everything; gives whether all is well."""
        filters, skips = self.filters, self.skips
        problem = False
        for _ in range(20):
            code = self.one(filters, skips)
            suspects = list(self.running)
            self.running.clear()
            if code in (0, 1) and self.hung is None:
                problem = code != 0
                break
            if not suspects and not self.hung:
                self.screen.line(f'✘ the tests ended with {self.how(code)} while none ran; see {self.log.name}')
                problem = True
                break
            for identifier in self.hung or self.guilty(suspects, code):
                self.ended.add(identifier)
                skips = skips + [pattern(identifier)]
            left = sorted({module(i) for i in self.functions() if i not in self.ended})
            for place in {module(i) for i in self.functions()} - set(left):
                self.tell(place)
            if not left:
                break
            # What had ended there runs again: it is less than telling each test by its name.
            for identifier in self.functions():
                if module(identifier) in left and identifier not in self.failed:
                    self.ended.discard(identifier)
            filters = [f'^{place}\\.' for place in left] if not self.filters else self.filters
        if not self.functions():
            self.screen.line('✘ no test has this name' if self.filters else '✘ no test was found')
            return False
        return not problem and not self.failures

    def guilty(self, suspects, code):
        """Which of the tests that ran when a process ended have ended it: each runs alone."""
        if self.hung:
            for identifier in self.hung:
                self.fail(identifier, f'did not end within {HANG:.0f} seconds')
            return self.hung
        found = []
        for identifier in suspects:
            alone = code if len(suspects) == 1 else self.one(
                [pattern(identifier)], [], {'SWIFT_BACKTRACE': 'enable=yes'})
            self.running.clear()
            if alone not in (0, 1):
                self.fail(identifier, f'ended the process with {self.how(alone)}: {self.last_words()}')
                found.append(identifier)
        for identifier in ([] if found else suspects):
            self.fail(identifier, f'ran when the process ended with {self.how(code)}, and not when it ran alone: '
                      f'{self.last_words()}')
            found.append(identifier)
        return found

    def last_words(self):
        """What a process wrote of its own end."""
        self.log.flush()
        with open(self.log.name, 'rb') as log:
            log.seek(max(0, os.path.getsize(self.log.name) - 400_000))
            text = log.read().decode(errors='replace')
        found = re.findall(r'.*(?:Fatal error|Precondition failed|\*\*\*).*', text)
        return found[-1].strip()[-300:] if found else f'it said nothing; see {self.log.name}'

    @staticmethod
    def how(code):
        return signal.Signals(-code).name if code < 0 else f'code {code}'


class Screen:
    """Standard output: a line for each thing that has ended, and on a terminal one that moves."""

    def __init__(self):
        self.is_terminal = sys.stdout.isatty()
        self.is_colored = self.is_terminal and 'NO_COLOR' not in os.environ
        self.last = ''
        self.moved = 0.0
        self.lock = threading.RLock()

    def line(self, text):
        with self.lock:
            self.erase()
            if self.is_colored and text.startswith('✘'):
                text = f'\033[31m{text}\033[0m'
            print(text, flush=True)

    def step(self, is_well, name, seconds, more=''):
        self.line(f"{'✔' if is_well else '✘'} {name:<26}{seconds:7.1f} s {more}".rstrip())

    def move(self, text):
        """Shows what is under way, several times a second at most."""
        if not self.is_terminal:
            return
        with self.lock:
            now = time.monotonic()
            if now - self.moved < 0.2 and self.last:
                return
            self.moved = now
            self.erase()
            self.last = text[:os.get_terminal_size().columns - 1]
            print(self.last, end='', flush=True)

    def erase(self):
        if self.last:
            print('\r\033[K', end='')
            self.last = ''
