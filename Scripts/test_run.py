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
WIDTH = int(os.environ.get('TEST_WIDTH') or 3 * (os.cpu_count() or 1))
# Seconds without any test that ends, after which those that are left count as hanging. No test comes
# near, on a busy machine either.
HANG = float(os.environ.get('TEST_HANG') or 600)
# How many of the tests that ran when the process ended are named; the log has all of them.
NAMED = 12
# Where it is set, the tests of the articles want a store; `Scripts/test.py` runs them beside one.
os.environ.pop('CI', None)


def module(identifier):
    """The module of a test: `StoreModelTests.Money/adds()/File.swift:1:1` is of StoreModelTests."""
    return identifier.split('.', 1)[0]


def literal(text):
    """A regular expression of Swift's that matches a text."""
    return re.sub(r'([][\\.^$*+?(){}|/])', r'\\\1', text)


def pattern(identifier):
    """What --filter and --skip take for one test: its identifier without the place in a file."""
    return '^' + literal(re.sub(r'/[^/]+\.swift:\d+:\d+$', '', identifier)) + '(/|$)'


def repeat(identifier):
    """The command that runs one test again, or all where it is none."""
    if not identifier:
        return 'make test'
    name = re.sub(r'/[^/]+\.swift:\d+:\d+$', '', identifier)
    return "make test FILTER='" + name.replace("'", r"'\''") + "'"


class Failure:
    """What went wrong with one test."""

    def __init__(self, identifier, name, what, place=''):
        self.identifier, self.name, self.what, self.place = identifier, name, what, place

    def lines(self):
        place = f'{module(self.identifier)}: ' if self.identifier else ''
        return [f'✘ {place}{self.name}', f'    {self.what}'] + (
            [f'    {self.place}'] if self.place else [])


class Run:
    """One or more processes of a test program that together run what a filter names."""

    def __init__(self, program, screen, log, filters=(), before=(), width=WIDTH):
        self.program, self.screen, self.log = program, screen, log
        self.width = width                          # tests at once
        self.before = list(before)                  # a program that starts the tests
        self.filters = list(filters)
        # A trap tells where it was; the backtrace of a process this large takes a minute.
        self.environment = dict(os.environ, SWIFT_BACKTRACE='enable=no')
        self.tests = {}                             # identifier → its description
        self.ended = set()
        self.guilty = set()                         # tests that ended a process, or held it up
        self.skipped = set()
        self.failures = []
        self.failed = set()
        self.cases = collections.Counter()          # module → cases that have ended
        self.began = {}                             # module → when its first test began
        self.told = set()                           # modules that have their line
        self.peak = 0                               # of resident memory of a process, in bytes
        self.start = time.monotonic()
        self.lock = threading.Lock()
        self.running = {}                           # identifiers of tests that have begun, in that order
        self.news = time.monotonic()                # when something last happened

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
        self.news = time.monotonic()
        if kind == 'testStarted' and is_function:
            self.began.setdefault(place, self.news)
            self.running[identifier] = True
        elif kind == 'testCaseEnded':
            self.cases[place] += 1
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
        self.screen.move(f'{left} tests left, {len(self.failed)} failed')

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

    def one(self, skips, one_by_one):
        """Runs one process to its end; gives its exit code, negative for a signal."""
        folder = tempfile.mkdtemp()
        pipe = os.path.join(folder, 'events')
        os.mkfifo(pipe)
        # Killed with this program, whatever ends it.
        command = ['setpriv', '--pdeathsig=KILL', '--', *self.before, self.program, '--testing-library', 'swift-testing',
                   '--event-stream-output-path', pipe, '--event-stream-version', '0']
        command += ['--no-parallel'] if one_by_one else [
            '--experimental-maximum-parallelization-width', str(self.width)]
        for one in self.filters:
            command += ['--filter', one]
        for one in skips:
            command += ['--skip', one]
        self.running.clear()
        self.news = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
                                   start_new_session=True, env=self.environment)
        reader = threading.Thread(target=self.read, args=(pipe,), daemon=True)
        reader.start()
        usage = [None]
        code = [None]

        def wait():
            _, status, usage[0] = os.wait4(process.pid, 0)
            code[0] = os.waitstatus_to_exitcode(status)

        waiter = threading.Thread(target=wait, daemon=True)
        waiter.start()
        self.has_hung = False
        try:
            while waiter.is_alive():
                waiter.join(1)
                if time.monotonic() - self.news > HANG and not self.has_hung:
                    self.has_hung = True
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
        one_by_one = False
        # How the process ended in which tests ran beside each other.
        trap = None
        while True:
            code = self.one([pattern(i) for i in self.over()], one_by_one)
            left = [i for i in self.functions() if i not in self.ended]
            if not self.functions():
                self.screen.line('✘ no test has this name' if self.filters else '✘ no test was found')
                return False
            if code in (0, 1) and not self.has_hung:
                if code == 1 and not self.failures:
                    self.fail_run(code)
                break
            if self.has_hung:
                # All others have come to their end meanwhile.
                guilty, what = list(self.running), f'did not end within {HANG:.0f} seconds'
            elif one_by_one:
                guilty, what = list(self.running)[-1:], f'ended the process with {self.how(code)}: {self.last_words()}'
            else:
                # Which of those that ran together did it is seen when each runs by itself.
                self.screen.line(f'  the tests ended with {self.how(code)}; those that are left run one by one')
                ran = sorted(self.running)
                more = f' and {len(ran) - NAMED} more' if len(ran) > NAMED else ''
                trap = f'{self.how(code)}: {self.last_words()}; while these ran: {", ".join(ran[:NAMED])}{more}'
                guilty, one_by_one = [], True
                if not left:
                    self.fail_run(code)
                    break
                continue
            if not guilty:
                self.fail_run(code)
                break
            for identifier in guilty:
                self.fail(identifier, what)
                self.ended.add(identifier)
                self.guilty.add(identifier)
            for place in {module(identifier) for identifier in guilty}:
                if all(i in self.ended for i in self.functions(place)):
                    self.tell(place)
            if all(i in self.ended for i in self.functions()):
                break
        if trap and not self.guilty:
            self.failures.append(Failure('', 'the tests', f'ended with {trap}. Alone none of them does that.'))
            self.screen.line(f'✘ {self.failures[-1].what}')
        return code == 0 and not self.failures

    def over(self):
        """What need not run again: suites that are through, and tests that end or hold up a process."""
        if not self.ended:
            return []
        suites = collections.defaultdict(bool)
        for identifier in self.functions():
            suite = identifier.split('/')[0]
            suites[suite] = suites[suite] or identifier not in self.ended
        return sorted(self.guilty) + [suite for suite, is_left in suites.items() if not is_left]

    def fail_run(self, code):
        self.failures.append(Failure('', 'the tests', f'ended with {self.how(code)} while none ran: {self.last_words()}'))
        self.screen.line(f'✘ {self.failures[-1].what}')

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
