#!/usr/bin/env python3
"""Runs the tests that were built again and again, and demands that none fails and none hangs.

usage: test-repeat.py [--full N] [--waiting N] [--sessions N] [--seed N]

First N full runs in a row (8): the second half beside four busy loops, the last one with 4 GB of
memory. Then N runs (50) of the suites that wait for sockets, processes or messages, every other one
beside the loops. Then N runs (500) of 200 test sessions, all of which begin at once as those of `swift
test` do, in the order of the run's own seed, counted from --seed (1). It takes hours; what failed is said at once, and again at the end.
"""

import os
import signal
import subprocess
import sys
import time

from test import BUILD, LOGS, PROGRAM, ROOT, temporary_folder
from test_run import Run, Screen, WIDTH

# What waits for something outside of its task: sockets, processes, other connections' messages.
WAITING = [
    r'^StoreHTTPTests\.', r'^StoreKitTests\.', r'^EndToEndTests\.', r'^StoreContentTests\.Object',
    r'^StoreFeedTests\.Feed(Job|Folder|Route)', r'^StorePicturesTests\.PictureResizer',
    r'^StoreServerTests\.(Publisher|Notification|Readiness|Interception|ServerEndpoint|Tunnel|Request|Metrics'
    r'|Operator|Backup|Restore|ObjectStore|StoreServerTests|Processing)',
    r'^StoreAPITests\.(Event|Waiting|SignInQueue|BodyAdmission|RequestIdentifier|OCSP|Performance)',
    r'^StorePagesTests\.(Prompt|ItemPrompt|ItemPresence|Approval)',
    r'^DriverContractTests\.(Catalog|Prompt|Job|Notification|Postgres|ImportTurn|Database|ByteRemoval|ItemSale)',
]
SESSIONS = r'^StoreKitTestTests\..*Many sessions at once'
MEMORY = '/sys/fs/cgroup/memory'


class Loops:
    """Four processes that keep the processors busy."""

    def __init__(self, are_wanted):
        self.processes = [subprocess.Popen(['setpriv', '--pdeathsig=KILL', 'sh', '-c', 'while :; do :; done'])
                          for _ in range(4 if are_wanted else 0)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def small_machine():
    """A program that starts others with 4 GB of memory; `None` where control groups can't be made."""
    group = os.path.join(MEMORY, 'openstore-tests')
    try:
        os.makedirs(group, exist_ok=True)
        with open(os.path.join(group, 'memory.limit_in_bytes'), 'w') as limit:
            limit.write(str(4 << 30))
    except OSError:
        if subprocess.call(['systemd-run', '--scope', '--quiet', 'true'], stderr=subprocess.DEVNULL) != 0:
            return None
        return ['systemd-run', '--scope', '--quiet', '-p', 'MemoryMax=4G', '-p', 'MemorySwapMax=0']
    return ['sh', '-c', f'echo $$ >{group}/cgroup.procs && exec "$@"', 'small']


class Quiet(Screen):
    """Says what failed only: each run has one line here."""

    def step(self, is_well, name, seconds, more=''):
        if not is_well:
            super().step(is_well, name, seconds, more)


def once(screen, name, filters=(), is_busy=False, before=(), more='', width=WIDTH):
    began = time.monotonic()
    path = os.path.join(LOGS, f"repeat-{name.replace(' ', '-')}.log")
    with Loops(is_busy), open(path, 'wb') as log:
        run = Run(PROGRAM, screen, log, filters, before, width)
        is_well = run.all()
    place = ' beside four busy loops' if is_busy else ''
    place += ' with 4 GB' if before else ''
    place += more
    Screen.step(screen, is_well, name, time.monotonic() - began,
                f'{len(run.functions()):5} tests {sum(run.cases.values()):6} cases, at most '
                f'{run.peak / 2**30:.1f} GB{place}')
    if is_well:
        os.remove(path)
    return is_well


def number(name, standard):
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else standard


def main():
    os.chdir(ROOT)
    os.makedirs(LOGS, exist_ok=True)
    screen = Quiet()
    for command in (['Scripts/s3-server.sh'], BUILD):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    os.environ['TMPDIR'] = folder = temporary_folder()
    full, waiting, sessions = number('--full', 8), number('--waiting', 50), number('--sessions', 500)
    failed, seed = 0, number('--seed', 1)
    try:
        for turn in range(1, full + 1):
            small = small_machine() if turn == full else ()
            if small is None:
                screen.line('✘ no control group can be made here, so no run has 4 GB of memory')
                failed, small = failed + 1, ()
            failed += not once(screen, f'full run {turn} of {full}', is_busy=turn > full // 2, before=small)
        for turn in range(1, waiting + 1):
            failed += not once(screen, f'what waits, {turn} of {waiting}', WAITING, is_busy=turn % 2 == 0)
        os.environ.update(OPENSTORE_TEST_SESSIONS='1', TEST_PARALLEL='200')
        for turn in range(sessions):
            os.environ['TEST_SEED'] = str(seed + turn)
            failed += not once(screen, f'sessions, {turn + 1} of {sessions}', [SESSIONS],
                               more=f', seed {seed + turn}', width=200)
    finally:
        subprocess.run(['rm', '-rf', folder])
    count = full + waiting + sessions
    screen.line(f'✘ {failed} of {count} runs failed' if failed else f'✔ {count} runs, none failed')
    return 1 if failed else 0


if __name__ == '__main__':
    if sys.argv[1:2] in (['-h'], ['--help']):
        print(__doc__.strip())
        sys.exit(0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
