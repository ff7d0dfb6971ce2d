#!/usr/bin/env python3
"""Builds everything once and runs every suite.

usage: test.py [FILTER...], or FILTER=NAME test.py

A filter is a part of a test's name, such as StoreModelTests, or what a failure shows; one that
begins with ^ is a regular expression. Without a filter everything else runs as well: the rules of
lint, the samples.

What is no test of the package runs beside the tests. A step that fails keeps only those from
running that need it; the end says what failed, and how to see it again. What the steps print is in
.build/tests.

    TEST_WIDTH=N   tests at once (three times the number of processors)
    TEST_HANG=N    seconds without a test that ends, after which those that are left hang (600)
    TMPDIR=FOLDER  where tests write (/dev/shm where it has 4 GB free: files of databases come and
                   go by the thousand, for which ext4 takes ten times as long)
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from test_run import Run, Screen, literal, repeat

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join('.build', 'tests')
PROGRAM = os.path.join('.build', 'debug', 'OpenStoreKitPackageTests.xctest')
BUILD = ['Scripts/build.sh', '--build-tests']
# Milliseconds for a function in the type checker: four times what `make lint` allows, as what is
# built may have been built beside other work, and a batch's first function pays for the modules that
# it loads.
BODY_LIMIT = '1200'


class Steps:
    """What runs, in the order of each thread that runs steps, and what became of it."""

    def __init__(self, screen):
        self.screen = screen
        self.start = time.monotonic()
        self.done = {}              # name → whether all was well
        self.failures = []          # each: what, how to see it again
        self.is_over = False        # nothing more begins

    def run(self, name, command, needs=(), says=None, environment=None):
        """Runs a command; it is left out where one that it needs has failed.

        What it must say, as a command that finds nothing to do may call that a success.
        """
        if self.is_over:
            return False
        missing = [one for one in needs if not self.done.get(one)]
        if missing:
            self.screen.line(f'– {name:<26}left out: {missing[0]} failed')
            self.done[name] = False
            return False
        again = ' '.join(command)
        path = os.path.join(LOGS, name.replace(' ', '-') + '.log')
        began = time.monotonic()
        with open(path, 'wb') as log:
            process = subprocess.Popen(
                # Killed with this program, whatever ends it.
                ['setpriv', '--pdeathsig=KILL', '--', *command], stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT, env=dict(os.environ, **(environment or {})))
            try:
                while True:
                    try:
                        code = process.wait(0.5)
                        break
                    except subprocess.TimeoutExpired:
                        if threading.current_thread() is threading.main_thread():
                            self.screen.move(f'{name} {time.monotonic() - began:.0f} s {last_line(path)}')
            except BaseException:
                process.kill()
                raise
        seconds = time.monotonic() - began
        if code == 0 and says and says not in open(path, encoding='utf-8', errors='replace').read():
            code = f'0, without «{says}»'
        if self.is_over:
            return False
        self.done[name] = code == 0
        shown = [] if code == 0 else problems(path)
        with self.screen.lock:
            self.screen.step(code == 0, name, seconds, '' if code == 0 else f'exit code {code}')
            for line in shown:
                self.screen.line(f'    {line}')
        if code != 0:
            self.failures.append((f'{name}: {shown[0] if shown else f"exit code {code}"}', again))
        return code == 0

    def end(self, tests=None):
        """The last lines: ten at most, however much has failed."""
        failures = list(self.failures)
        for failure in tests.failures if tests else []:
            failures.append((' '.join(failure.lines()).replace('✘ ', '', 1), repeat(failure.identifier)))
        seconds = time.monotonic() - self.start
        count = f'{len(tests.functions())} tests, {sum(tests.cases.values())} cases, ' if tests else ''
        peak = f', at most {tests.peak / 2**30:.1f} GB' if tests and tests.peak else ''
        if not failures and all(self.done.values()):
            self.screen.line(f'✔ {count}nothing failed in {seconds:.0f} s{peak}; what was printed is in {LOGS}')
            return 0
        shown = failures[:3]
        self.screen.line('')
        for what, again in shown:
            self.screen.line(f"✘ {' '.join(what.split())[:240]}")
            self.screen.line(f'    again: {again}')
        if len(failures) > len(shown):
            self.screen.line(f'✘ and {len(failures) - len(shown)} more, above')
        self.screen.line(f'✘ {count}{len(failures)} failed in {seconds:.0f} s; what was printed is in {LOGS}')
        return 1


def last_line(path):
    with open(path, 'rb') as log:
        log.seek(max(0, os.path.getsize(path) - 300))
        lines = log.read().decode(errors='replace').strip().splitlines()
    return lines[-1].strip() if lines else ''


def problems(path):
    """The lines of a log that say why a step failed."""
    with open(path, encoding='utf-8', errors='replace') as log:
        lines = [line.strip() for line in log if line.strip()]
    marked = [line for line in dict.fromkeys(lines) if any(
        mark in line for mark in ('error:', 'Error:', 'E: ', 'lint: ', '✘', 'fatal:', 'Traceback'))
        and not line.endswith('design rules hold')]
    return [line.replace(ROOT + '/', '')[:240] for line in (marked[:6] or lines[-6:])]


class Beside(threading.Thread):
    """Steps that run beside those of the main thread."""

    def __init__(self, steps, work):
        super().__init__(daemon=True)
        self.steps, self.work = steps, work
        self.start()

    def run(self):
        try:
            self.work(self.steps)
        except BaseException as problem:
            self.steps.failures.append((f'Scripts/test.py: {problem!r}', 'make test'))

    def end(self):
        while self.is_alive():
            self.steps.screen.move('what runs beside the tests has not ended')
            self.join(0.5)


def temporary_folder():
    """A folder for what tests write, and the end of those that killed runs have left."""
    base = os.environ.get('TMPDIR')
    if not base:
        memory = '/dev/shm'
        has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30
        base = memory if has_room else tempfile.gettempdir()
    for name in os.listdir(base):
        if name.startswith('openstore-tests-'):
            owner = name.rsplit('-', 1)[-1]
            if not os.path.exists(f'/proc/{owner}'):
                shutil.rmtree(os.path.join(base, name), ignore_errors=True)
    # Short, as sockets lie in it; PostgreSQL's user has to come through.
    folder = os.path.join(base, f'openstore-tests-{os.getpid()}')
    os.makedirs(folder, mode=0o755, exist_ok=True)
    return folder


def tests(steps, filters=()):
    """Runs the tests of the package; `None` where they were not built."""
    if not steps.done.get('build'):
        steps.screen.line('– tests                     left out: build failed')
        return None
    with open(os.path.join(LOGS, 'tests.log'), 'wb') as log:
        run = Run(PROGRAM, steps.screen, log, filters)
        steps.done['tests'] = run.all()
    return run


def run_sessions(steps):
    """Tests in which a session takes its process over, whose other suites have no store."""
    environment = {'OPENSTORE_TEST_SESSIONS': '1'}
    steps.run('test sessions', [
        PROGRAM, '--testing-library', 'swift-testing', '--filter', 'StoreKitTestTests'],
        needs=['build'], environment=environment, says='Suite SessionTests passed')
    steps.run('test sessions under XCTest', [
        PROGRAM, '--testing-library', 'xctest', 'StoreKitTestTests.PurchaseTests'],
        needs=['build'], environment=environment, says='with 0 failures')
    # In a folder of its own, as it looks for what is left there.
    alone = os.path.join(os.environ['TMPDIR'], 'alone')
    os.makedirs(alone, exist_ok=True)
    steps.run('what test sessions leave', [
        PROGRAM, '--testing-library', 'swift-testing', '--filter', 'one after another'],
        needs=['build'], environment={**environment, 'TEST_SESSIONS': '20', 'TMPDIR': alone},
        says='Suite SessionTests passed')


def run_others(steps):
    """What is no test of the package. Most of it waits or has work for one processor, so it runs
    beside the tests."""
    # First: they may build, and nobody has changed a source yet.
    steps.run('interface', ['Scripts/check-interface.sh'], needs=['build'])
    steps.run('build of the samples', ['Scripts/build-samples.sh', '--build-tests'], needs=['build'])
    steps.run('lint', ['Scripts/lint.sh'], environment={'BODY_LIMIT': BODY_LIMIT})
    steps.run('linked libraries', ['Scripts/check-linking.sh'], needs=['build', 'build of the samples'])
    steps.run('fuzz targets compile', ['Scripts/fuzz.sh', '--check'], needs=['build'])
    steps.run('deployment', ['Scripts/check-deployment.sh'], needs=['build'])
    # The samples, with customers at a terminal and the store that was built above.
    steps.run('samples', [
        'swift', 'test', '--package-path', 'Examples', '--scratch-path', os.path.abspath('.build'),
        '--skip-build'],
        needs=['build', 'build of the samples'],
        environment={'OPENSTORE': os.path.abspath('.build/debug/openstore')})
    # What the article on testing shows: an app's own tests, beside a store of their own.
    steps.run('tests in the articles', [
        '.build/debug/openstore', 'test', 'Examples/Bookshop/Bookshop.storekit',
        '--bundle-id', 'com.example.bookshop', '--', PROGRAM, '--testing-library', 'swift-testing',
        '--filter', 'StoreKitSourceTests.PurchaseTests'], needs=['build'],
        says='Suite PurchaseTests passed',
        # They call openstore.
        environment={'PATH': os.path.abspath('.build/debug') + ':' + os.environ['PATH']})
    # The generated documents are what the program says.
    steps.run('reference', ['Scripts/reference.py'], needs=['build'])
    run_sessions(steps)


def main(filters):
    os.chdir(ROOT)
    os.makedirs(LOGS, exist_ok=True)
    filters = [one if one.startswith('^') else literal(one) for one in filters]
    screen = Screen()
    steps = Steps(screen)
    folder = temporary_folder()
    os.environ['TMPDIR'] = folder
    # Tests read English, whoever runs them.
    os.environ['LC_ALL'] = 'C.UTF-8'
    os.environ.pop('LANGUAGE', None)
    try:
        if filters:
            # Test sessions take their process over.
            if all('StoreKitTestTests' in one for one in filters):
                os.environ['OPENSTORE_TEST_SESSIONS'] = '1'
            steps.run('build', BUILD)
            return steps.end(tests(steps, filters))
        # It waits for the network.
        server = Beside(steps, lambda steps: steps.run('object server', ['Scripts/s3-server.sh']))
        steps.run('build', BUILD)
        server.end()
        # It may build again, so nothing runs beside it.
        steps.run('type checker', ['Scripts/check-bodies.sh', '--again', BODY_LIMIT], needs=['build'])
        others = Beside(steps, run_others)
        run = tests(steps)
        others.end()
        return steps.end(run)
    except KeyboardInterrupt:
        steps.is_over = True
        screen.line('✘ ended by the keyboard')
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    if sys.argv[1:2] in (['-h'], ['--help']):
        print(__doc__.strip())
        sys.exit(0)
    sys.exit(main(sys.argv[1:] or [one for one in [os.environ.pop('FILTER', '')] if one]))
