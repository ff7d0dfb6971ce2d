"""The machine that a document has for itself, the shell in it, and what its blocks may need.

As root each document gets name spaces of its own for mounts, processes and the network, and its own
layer over the whole file system. Elsewhere it gets a folder, and documents run one after the other.
"""

import base64
import ctypes
import fcntl
import http.client
import json
import os
import pathlib
import pwd
import re
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.parse
import uuid

from document_blocks import ROOT, Exchange, missing

sys.path.append(os.path.join(ROOT, 'Tests', 'ServerClients'))

#: Seconds for a command; a hang ends the document.
LIMIT = 60
PORT, BACKEND_PORT, DATABASE_PORT = 8080, 9000, 5432
APP = 'com.example.bookshop'
EMAIL, PASSWORD = 'ada@example.com', 'correct-horse'
TEAM = 'Publisher'
MONTHLY = f'{APP}.club.monthly'


class NotThere(Exception):
    """Something that a block needs can't be had here."""


def has_own_machines():
    """Whether documents can have name spaces and layers of their own."""
    return os.geteuid() == 0 and shutil.which('unshare') is not None and subprocess.run(
        ['unshare', '--net', '--mount', '--pid', '--fork', 'true'], capture_output=True).returncode == 0


def own_machine(command, network=False):
    """The command line that runs a command in name spaces that end with it, and with this process."""
    spaces = ['--mount', '--pid'] + ([] if network else ['--net'])
    return ['setpriv', '--pdeathsig=KILL', '--', 'unshare', *spaces, '--propagation', 'private', '--mount-proc',
            '--fork', '--kill-child', *command]


def enter(layer, given):
    """Has everything that is written go into a file system in memory.

    `layer` is an empty folder, and `given` one with files that can be read.
    """
    def run(*words):
        subprocess.run([*map(str, words)], check=True)

    def cover(path, name):
        for kind in ('upper', 'work'):
            os.makedirs(f'{layer}/{name}/{kind}')
        run('mount', '-t', 'overlay', 'overlay', '-o',
            f'lowerdir={path},upperdir={layer}/{name}/upper,workdir={layer}/{name}/work', root + path)

    run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'layer', layer)
    root = f'{layer}/root'
    os.mkdir(root)
    cover('/', 'system')
    for name in ('dev', 'sys'):
        run('mount', '--rbind', f'/{name}', f'{root}/{name}')
    # A checkout on a disk of its own.
    if os.stat(ROOT).st_dev != os.stat('/').st_dev:
        cover(ROOT, 'checkout')
    os.makedirs(root + given, exist_ok=True)
    run('mount', '--bind', given, root + given)
    os.chroot(root)
    os.chdir('/')
    run('mount', '-t', 'proc', 'proc', '/proc')


def raise_loopback():
    """Switches on the loopback interface, which a network of one's own has switched off."""
    with socket.socket() as any_socket:
        request = struct.pack('16sH14x', b'lo', 0x1)    # IFF_UP
        fcntl.ioctl(any_socket, 0x8914, request)        # SIOCSIFFLAGS


def ports():
    """The ports of this machine on which somebody listens."""
    found = set()
    for table in ('/proc/self/net/tcp', '/proc/self/net/tcp6'):
        with open(table, encoding='ascii') as lines:
            for line in list(lines)[1:]:
                words = line.split()
                if words[3] == '0A':
                    found.add(int(words[1].rsplit(':', 1)[1], 16))
    return found


def descendants(of):
    """The processes that a process has started, and those that they have."""
    children = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open(f'/proc/{name}/stat', encoding='utf-8', errors='replace') as stat:
                    parent = int(stat.read().rsplit(')', 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(name))
    found, left = [], [of]
    while left:
        more = children.get(left.pop(), [])
        found += more
        left += more
    return found


class Shell:
    """A shell to which commands are given one by one."""

    DRIVER = r'''
        set -o pipefail
        while IFS= read -r -d '' -u 9 _output && IFS= read -r -d '' -u 9 _input && IFS= read -r -d '' -u 9 _command; do
            eval "$_command" >"$_output" 2>&1 <"$_input" 8>&- 9<&-
            printf '%s\n' "$?" >&8
        done
    '''

    def __init__(self, home, folder, environment):
        self.folder, self.count = folder, 0
        command, self.commands = os.pipe()
        self.codes, code = os.pipe()

        def ready():
            # 8 and 9 are the shell's; what it starts has neither.
            os.dup2(code, 200)
            os.dup2(command, 201)
            os.dup2(200, 8)
            os.dup2(201, 9)
            os.close(200)
            os.close(201)

        self.process = subprocess.Popen(
            ['bash', '--norc', '--noprofile', '-c', self.DRIVER, 'bash'], cwd=home, env=environment,
            stdin=subprocess.DEVNULL, close_fds=False, preexec_fn=ready)
        os.close(command)
        os.close(code)

    def begin(self, command, stdin=''):
        """Gives a command to the shell; gives the file of its output."""
        self.count += 1
        output, source = f'{self.folder}/{self.count}.out', f'{self.folder}/{self.count}.in'
        with open(source, 'w', encoding='utf-8') as file:
            file.write(stdin)
        with open(output, 'w', encoding='utf-8'):
            pass
        os.write(self.commands, ''.join(f'{one}\0' for one in (output, source, command)).encode())
        return output

    def end(self, limit=LIMIT):
        """The exit code of the command; None where it has none in time, or where the shell has ended."""
        until = time.monotonic() + limit
        while time.monotonic() < until:
            if select.select([self.codes], [], [], 0.5)[0]:
                text = os.read(self.codes, 100)
                return int(text) if text else None
            if self.process.poll() is not None:
                return None
        return None

    def run(self, command, stdin='', limit=LIMIT):
        output = self.begin(command, stdin)
        code = self.end(limit)
        return code, read(output)

    def value(self, name):
        """A variable of the shell."""
        return self.run(f'printf %s "${{{name}-}}"')[1]


def read(file):
    with open(file, encoding='utf-8', errors='replace') as text:
        return text.read()


class Machine:
    """What the blocks of one document need, made when the first one needs it."""

    def __init__(self, home, folder, program, prepared, is_own):
        self.home, self.folder, self.program = home, folder, program
        self.prepared = prepared            # the folder of `prepare`
        self.is_own = is_own
        self.has_purchases = False          # whether the store is the one with purchases
        self.there = set()
        self.processes = []
        os.makedirs(home, exist_ok=True)
        programs = f'{folder}/bin'
        os.makedirs(programs)
        os.symlink(program, f'{programs}/openstore')
        self.shell = Shell(home, folder, {
            'HOME': home, 'PATH': f'{programs}:{os.environ["PATH"]}', 'LANG': 'C.UTF-8', 'TERM': 'dumb',
            'USER': 'ada', 'TZ': 'UTC', 'NO_PROXY': 'localhost,127.0.0.1'})
        if is_own:
            raise_loopback()

    def need(self, name):
        if name in self.there:
            return
        self.there.add(name)
        make = getattr(self, 'make_' + name, None)
        if make:
            make()

    def export(self, **variables):
        words = ' '.join(f'{name}={shlex.quote(str(value))}' for name, value in variables.items())
        code, output = self.shell.run(f'export {words}')
        if code != 0:
            raise NotThere(output)

    def start(self, *words, port, **options):
        """A server that ends with this process."""
        log = f'{self.folder}/server-{len(self.processes)}.log'
        with open(log, 'wb') as file:
            process = subprocess.Popen(
                ['setpriv', '--pdeathsig=KILL', *map(str, words)], stdout=file,
                stderr=subprocess.STDOUT, **{'stdin': subprocess.DEVNULL, **options})
        self.processes.append(process)
        wait_for(port, process, log)
        return process

    # What may be needed

    def make_root(self):
        if not self.is_own:
            raise NotThere('documents have no machines of their own here')

    def make_checkout(self):
        """The repository, without what was built: changes stay in this machine."""
        if self.is_own:
            self.shell.run(f'cd {shlex.quote(ROOT)}')
            return
        for name in os.listdir(ROOT):
            if name == 'Examples':
                shutil.copytree(f'{ROOT}/{name}', f'{self.home}/{name}', ignore=shutil.ignore_patterns('.build'))
            elif not name.startswith('.'):
                os.symlink(f'{ROOT}/{name}', f'{self.home}/{name}')

    def make_store(self):
        if PORT in ports():
            raise NotThere(f'somebody listens on port {PORT}')
        kind = 'purchase' if self.has_purchases else 'store'
        data = '/srv/openstore' if self.is_own else f'{self.folder}/openstore'
        shutil.copytree(f'{self.prepared}/{kind}', data)
        self.start(self.program, 'serve', '--data', data, '--listen', f'127.0.0.1:{PORT}',
                   '--allow-local-notifications', port=PORT)
        variables = json.loads(read(f'{self.prepared}/{kind}.json'))
        key = f'{self.home}/AuthKey_{variables["KEY_ID"]}.p8'
        shutil.copy(f'{self.prepared}/{os.path.basename(key)}', key)
        self.export(**variables, OPENSTORE_DATA=data, KEY_FILE=key)

    def make_app(self):
        self.need('store')
        profile = f'{self.home}/embedded.storeprofile'
        shutil.copy(f'{self.prepared}/embedded.storeprofile', profile)
        self.export(OPENSTORE_PROFILE=profile)

    def make_purchase(self):
        self.need('app')
        for name in ('receipt', 'transaction.jws'):
            shutil.copy(f'{self.prepared}/{name}', f'{self.home}/{name}')
        self.export(RECEIPT=f'{self.home}/receipt', SIGNED_TRANSACTION=f'{self.home}/transaction.jws')

    def make_backend(self):
        self.start(sys.executable, os.path.join(ROOT, 'Scripts', 'document_backend.py'), BACKEND_PORT,
                   port=BACKEND_PORT)
        self.export(BACKEND_URL=f'http://127.0.0.1:{BACKEND_PORT}')

    def make_postgres(self):
        versions = pathlib.Path('/usr/lib/postgresql')
        if not versions.is_dir():
            raise NotThere('there is no PostgreSQL server on this machine')
        programs = versions / str(max(int(one.name) for one in versions.iterdir())) / 'bin'
        data = pathlib.Path(self.folder) / 'postgres'
        data.mkdir()
        user = []
        if os.geteuid() == 0:
            known = pwd.getpwnam('postgres')
            os.chown(data, known.pw_uid, known.pw_gid)
            os.chmod(self.folder, 0o755)
            user = ['--reuid=postgres', '--regid=postgres', '--clear-groups']
        made = subprocess.run(
            ['setpriv', *user, '--', programs / 'initdb', '-D', data / 'data', '-U', 'postgres', '-A', 'trust',
             '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], capture_output=True, text=True, cwd=data)
        if made.returncode != 0:
            raise NotThere(made.stderr)
        os.makedirs('/run/postgresql', exist_ok=True) if self.is_own else None
        if self.is_own:
            os.chown('/run/postgresql', known.pw_uid, known.pw_gid)
        self.start(*user, '--', programs / 'postgres', '-D', data / 'data', '-p', DATABASE_PORT,
                   '-k', '/run/postgresql' if self.is_own else data, '-c', 'listen_addresses=127.0.0.1',
                   '-c', 'fsync=off', '-c', 'shared_buffers=32MB', port=DATABASE_PORT, cwd=data)
        for statement in ('CREATE ROLE shop LOGIN', "CREATE DATABASE shop OWNER shop TEMPLATE template0 ENCODING 'UTF8'"):
            done = None
            for _ in range(200):
                done = subprocess.run(
                    ['psql', '-X', '-q', '-U', 'postgres', '-h', '127.0.0.1', '-p', str(DATABASE_PORT), '-c', statement],
                    capture_output=True, text=True)
                if 'starting up' not in done.stderr:
                    break
                time.sleep(0.05)
            if done.returncode != 0:
                raise NotThere(done.stderr)
        self.export(DATABASE_URL=f'postgres://shop@127.0.0.1:{DATABASE_PORT}/shop')

    def make_s3(self):
        python = os.path.join(ROOT, '.build/s3-server/venv/bin/python')
        if not os.path.exists(python):
            raise NotThere('Scripts/s3-server.sh makes the object store that is needed')
        process = subprocess.Popen(
            ['setpriv', '--pdeathsig=KILL', '--', python, os.path.join(ROOT, 'Tests/Support/S3/server.py')],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.processes.append(process)
        said = json.loads(process.stdout.readline())
        self.export(CONTENT_URL=f's3://contract/shop?endpoint={said["address"]}',
                    AWS_ACCESS_KEY_ID=said['key'], AWS_SECRET_ACCESS_KEY=said['secret'])

    def close(self):
        """Ends what the document, and what it needed, has begun: each by its number."""
        if self.is_own:
            return      # all of it ends with the name space of its processes
        for round in (signal.SIGTERM, signal.SIGKILL):
            left = descendants(os.getpid())
            for one in left:
                try:
                    os.kill(one, round)
                except OSError:
                    pass
            until = time.monotonic() + 5
            while descendants(os.getpid()) and time.monotonic() < until:
                try:
                    os.waitpid(-1, os.WNOHANG)
                except OSError:
                    break
                time.sleep(0.02)


def wait_for(port, process, log):
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        with socket.socket() as line:
            if line.connect_ex(('127.0.0.1', port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise NotThere(f'nobody listens on port {port}: {read(log)[-2000:]}')


class Page:
    """Runs the blocks of one document, and says what became of each of their lines."""

    def __init__(self, machine, asked):
        self.machine, self.shell, self.asked = machine, machine.shell, asked
        self.outcomes = []
        self.is_over = False

    def run(self, blocks):
        self.machine.has_purchases = any('purchase' in block.needs for block in blocks)
        for block in blocks:
            out = block.left_out(self.asked)
            if out:
                self.tell(block, block.steps, 'left out', 'needs ' + ', '.join(out))
                continue
            try:
                for need in block.needs:
                    self.machine.need(need)
            except NotThere as reason:
                self.tell(block, block.steps, 'failed', f'needs {",".join(block.needs)}: {reason}')
                continue
            for index, step in enumerate(block.steps):
                if self.is_over:
                    self.tell(block, [step], 'left out', 'the document ended before')
                    continue
                is_last = index == len(block.steps) - 1
                began = time.monotonic()
                if block.language == 'http':
                    problem, output = self.request(step)
                else:
                    problem, output = self.command(
                        step, block.exit if is_last else 0, block.stdin, block.serves and is_last)
                self.tell(block, [step], 'failed' if problem else 'passed', problem, output,
                          time.monotonic() - began)

    def tell(self, block, steps, outcome, problem='', output='', seconds=0.0):
        for step in steps:
            self.outcomes.append({
                'file': block.file, 'line': step.line, 'needs': block.needs, 'text': step.text,
                'outcome': outcome, 'problem': problem or '', 'output': output[-4000:], 'seconds': round(seconds, 2)})

    def command(self, step, wanted, stdin, serves):
        """What is wrong with a command, and what it prints."""
        stays = serves or re.search(r'(^|[^&])&\s*(#.*)?$', step.text)
        before = ports()
        text = step.text + ' &' if serves else step.text
        file = self.shell.begin(text, stdin)
        code = self.shell.end()
        if code is None:
            self.is_over = True
            ended = self.shell.process.poll() is not None
            return ('it ended the shell' if ended else f'it did not end in {LIMIT} seconds'), read(file)
        if code == 0 and stays:
            code = self.listens(before, file, step, serves)
            if serves and code is not None:
                return f'the server has ended with {code}', self.as_at_home(read(file))
            code = code or 0
        output = self.as_at_home(read(file))
        if code != wanted:
            return f'exit code {code}' + (f', not {wanted}' if wanted else ''), output
        lost = missing(step.expected or [], output)
        return (f'line {lost[0]} is not printed: {lost[1]}' if lost else None), output

    def listens(self, before, file, step, serves):
        """Waits until a server answers, and for what it is to print; gives its exit code, None where it goes on."""
        until = time.monotonic() + (LIMIT if serves else 15)
        while time.monotonic() < until:
            if ports() - before and not missing(step.expected or [], read(file)):
                break
            if 'is over' in self.shell.run('kill -0 $! 2>/dev/null || echo is over')[1]:
                return self.shell.run('wait $!')[0]
            time.sleep(0.05)
        return None

    def as_at_home(self, output):
        return output if self.machine.is_own else output.replace(self.machine.home, '/home/ada')

    def request(self, step):
        names = set(re.findall(r'\$([A-Z][A-Z0-9_]*)', step.text)) | {'OPENSTORE_URL', 'TOKEN', 'SERVER_TOKEN'}
        values = {name: self.shell.value(name) for name in names}
        exchange = Exchange(re.sub(r'\$([A-Z][A-Z0-9_]*)', lambda found: values[found[1]], step.text))
        address = urllib.parse.urlsplit(values['OPENSTORE_URL'] or f'http://127.0.0.1:{PORT}')
        headers = dict(exchange.headers)
        if 'Authorization' not in headers:
            if exchange.path.startswith('/connect/'):
                headers['Authorization'] = f'Bearer {values["TOKEN"]}'
            elif re.match(r'(/sandbox)?/inApps/', exchange.path):
                headers['Authorization'] = f'Bearer {values["SERVER_TOKEN"]}'
        if exchange.body.strip() and 'Content-Type' not in headers:
            headers['Content-Type'] = 'application/json'
        line = http.client.HTTPConnection(address.hostname, address.port or 80, timeout=LIMIT)
        try:
            line.request(exchange.method, exchange.path, exchange.body.encode() or None, headers)
            answer = line.getresponse()
            body = answer.read().decode(errors='replace')
        except OSError as problem:
            return str(problem), ''
        finally:
            line.close()
        shown = f'HTTP/1.1 {answer.status}\n' + ''.join(f'{n}: {v}\n' for n, v in answer.getheaders()) + f'\n{body}'
        return exchange.difference(answer.status, answer.headers, body), shown


# What documents begin with


def prepare(folder, program):
    """Makes a store with the bookshop, the same with purchases, and an app's profile, in a folder."""
    from store import Device

    environment = {'HOME': folder, 'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8'}

    def openstore(*words, stdin=''):
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, input=stdin,
                              env=environment, cwd=folder)
        if done.returncode != 0:
            raise NotThere(f'openstore {" ".join(map(str, words))}: {done.stderr}')
        return done.stdout

    store = f'{folder}/store'
    url = f'http://127.0.0.1:{PORT}'
    with open(f'{folder}/Bookshop.storekit', 'w', encoding='utf-8') as file:
        json.dump(catalog(), file)
    openstore('catalog', 'import', f'{folder}/Bookshop.storekit', '--content', f'{ROOT}/Examples/Bookshop/Content',
              '--bundle-id', APP, '--name', 'Bookshop', '--approve', '--data', store)
    openstore('tester', 'create', '--email', EMAIL, '--password', PASSWORD, '--storefront', 'USA', '--data', store)
    key = json.loads(openstore('api-key', 'create', '--name', 'documents', '--role', 'ADMIN', '--team', TEAM,
                               '--output', folder, '--json', '--data', store))
    openstore('profile', 'create', '--bundle-id', APP, '--store', url, '--output',
              f'{folder}/embedded.storeprofile', '--data', store)
    variables = {
        'OPENSTORE_URL': url, 'APP': APP, 'TEAM': TEAM, 'PRODUCT': f'{APP}.chapter1', 'EMAIL': EMAIL,
        'PASSWORD': PASSWORD, 'KEY_ID': key['id'], 'ISSUER': key['issuerId'],
        'TOKEN': token(key), 'SERVER_TOKEN': token(key, bid=APP)}
    shutil.copytree(store, f'{folder}/purchase')

    def serve(data, work):
        log = f'{folder}/serve.log'
        with open(log, 'wb') as file:
            process = subprocess.Popen(
                ['setpriv', '--pdeathsig=KILL', '--', program, 'serve', '--data', data, '--listen', f'127.0.0.1:{PORT}'],
                stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, env=environment)
        try:
            wait_for(PORT, process, log)
            return work()
        finally:
            process.terminate()
            process.wait(LIMIT)

    class Publisher:
        """What a device asks of its store."""

        @staticmethod
        def profile(environment):
            return read(f'{folder}/embedded.storeprofile').strip()

        @staticmethod
        def url(environment='sandbox'):
            return f'{url}/sandbox'

    def buy():
        device = Device(Publisher, 'sandbox', EMAIL)
        bought = device.buy(f'{APP}.chapter1')
        club = device.buy(MONTHLY)
        # It waits for whoever approves purchases.
        device.send('POST', '/purchases', {
            'purchaseKey': str(uuid.uuid4()), 'productId': f'{APP}.credits5', 'quantity': 1,
            'simulatesAskToBuy': True,
            'confirmedPrice': device.send('POST', '/products', {'productIds': [f'{APP}.credits5']})['products'][0]['price']})
        with open(f'{folder}/receipt', 'w', encoding='ascii') as file:
            file.write(device.receipt())
        with open(f'{folder}/transaction.jws', 'w', encoding='ascii') as file:
            file.write(bought['signed'])
        number = app_number(url, variables['TOKEN'])
        return {**variables, 'APP_ID': number, 'TRANSACTION': bought['transactionId'],
                'SUBSCRIPTION': club['originalTransactionId'],
                'PURCHASE_ID': json.loads(openstore(
                    'purchase', 'list', '--json', '--data', f'{folder}/purchase'))[0]['id']}

    bought = serve(f'{folder}/purchase', buy)
    shop = {name: value for name, value in bought.items() if name not in ('TRANSACTION', 'SUBSCRIPTION', 'PURCHASE_ID')}
    for name, values in (('store', shop), ('purchase', bought)):
        with open(f'{folder}/{name}.json', 'w', encoding='utf-8') as file:
            json.dump(values, file)


def app_number(url, bearer):
    from store import send
    return send('GET', f'{url}/connect/v1/apps', None, {'Authorization': f'Bearer {bearer}'})['data'][0]['id']


def catalog():
    """The bookshop, and a subscription to it."""
    with open(f'{ROOT}/Examples/Bookshop/Bookshop.storekit', encoding='utf-8') as file:
        bookshop = json.load(file)

    def subscription(name, level, price, period):
        return {
            'productID': f'{APP}.club.{name.lower()}', 'type': 'RecurringSubscription', 'displayPrice': price,
            'referenceName': f'Club {name}', 'familyShareable': True, 'internalID': f'C10B000{level}',
            'localizations': [{'locale': 'en_US', 'displayName': f'Club, {name}', 'description': 'All chapters'}],
            'groupNumber': level, 'recurringSubscriptionPeriod': period, 'subscriptionGroupID': 'C10B0000',
            'adHocOffers': [], 'codeOffers': []}

    bookshop['subscriptionGroups'] = [{
        'id': 'C10B0000', 'name': 'Club', 'localizations': [],
        'subscriptions': [subscription('Yearly', 1, '49.99', 'P1Y'), subscription('Monthly', 2, '4.99', 'P1M')]}]
    return bookshop


def token(key, **more):
    """A token of Connect's API, good for a quarter of an hour."""
    def encoded(value):
        return base64.urlsafe_b64encode(value).rstrip(b'=').decode()

    now = int(time.time())
    claims = {'iss': key['issuerId'], 'iat': now, 'exp': now + 900, 'aud': 'appstoreconnect-v1', **more}
    text = '.'.join(encoded(json.dumps(one).encode()) for one in (
        {'alg': 'ES256', 'typ': 'JWT', 'kid': key['id']}, claims))
    der = subprocess.run(['openssl', 'dgst', '-sha256', '-sign', key['file']], input=text.encode(),
                         capture_output=True, check=True).stdout
    numbers, position = [], 2
    for _ in range(2):
        length = der[position + 1]
        numbers.append(int.from_bytes(der[position + 2:position + 2 + length], 'big').to_bytes(32, 'big'))
        position += 2 + length
    return f'{text}.{encoded(b"".join(numbers))}'


def die_with_parent():
    library = ctypes.CDLL(None)
    library.prctl(1, signal.SIGKILL)        # PR_SET_PDEATHSIG
    library.prctl(36, 1)                    # PR_SET_CHILD_SUBREAPER: whoever leaves the shell is still found
