#!/usr/bin/env python3
"""Makes Documentation/Reference from the sources and from what the built program says of itself.

usage: reference.py [--write] [--sources]

    --write    brings the documents up to date; otherwise they are compared
    --sources  only what is made from sources, so nothing has to be built

Meanings are written at the declarations in the sources, once. What has none is an error.
"""

import collections
import json
import os
import re
import subprocess
import sys

from swift_source import (
    ROOT, NotRead, calls, cases, constant, documented, label, number, pieces, plain, read, sentence, swift_files)

FOLDER = os.path.join('Documentation', 'Reference')
PROGRAM = os.path.join(ROOT, '.build', 'debug', 'openstore')
STORE, CORE, API = 'Sources/Store/StoreServer', 'Sources/Store/StoreCore', 'Sources/Store/StoreAPI'
NOTE = '<!-- Made by `make reference`. Changes belong into the sources. -->\n'


def cell(text):
    return ' '.join(str(text).split()).replace('|', '\\|').replace('<', '&lt;')


def table(titles, rows):
    lines = ['| ' + ' | '.join(titles) + ' |', '|' + '---|' * len(titles)]
    lines += ['| ' + ' | '.join(cell(one) for one in row) + ' |' for row in rows]
    return '\n'.join(lines) + '\n'


def code(text):
    return f'`{text}`' if text else ''


def page(title, *parts):
    return f'# {title}\n\n{NOTE}\n' + '\n'.join(part.rstrip('\n') + '\n' for part in parts)


def capital(text):
    return text[:1].upper() + text[1:]


# Commands and settings: what `openstore help --json` says


def program_help():
    done = subprocess.run([PROGRAM, 'help', '--json'], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise NotRead(f'openstore help --json: {done.stderr.strip() or "no JSON"}') from None


def commands(tree):
    parts = [
        f'{tree["summary"]} `openstore COMMAND --help` says the same at the terminal.\n',
        'Options that many commands take are explained [at the end](#shared-options). How commands end is in '
        '[Error codes](ErrorCodes.md#exit-codes).\n']
    for group in tree['groups']:
        parts.append(f'## {group["title"]}\n')
        for noun in group['nouns']:
            if not noun['isCommand']:
                parts.append(f'### {noun["name"]}\n\n{noun["summary"]}\n')
            for command in noun['commands']:
                parts.append(command_text(command, '###' if noun['isCommand'] else '####'))
    parts.append('## Shared options\n')
    parts.append(table(['Option', 'Meaning'], [(code(form(one)), one['help']) for one in tree['sharedOptions']]))
    return page('Commands', *parts)


def form(option):
    return f'--{option["name"]}' + (f' {option["value"]}' if option['value'] else '')


def command_text(command, heading):
    text = f'{heading} openstore {" ".join(command["words"])}\n\n{command["summary"]}\n\n'
    text += f'```text\n{command["usage"]}\n```\n'
    if command['discussion']:
        text += '\n' + escaped(command['discussion']) + '\n'
    rows = [(code(one['name']), one['help']) for one in command['arguments'] + (
        [command['rest']] if command['rest'] else [])]
    rows += [(code(form(one)), ('Required. ' if one['isRequired'] else '') + one['help'])
             for one in command['options'] if not one['isShared']]
    if rows:
        text += '\n' + table(['Argument or option', 'Meaning'], rows)
    shared = [code('--' + one['name']) for one in command['options'] if one['isShared']]
    if shared:
        text += '\nShared options: ' + ', '.join(shared) + '\n'
    return text


def escaped(text):
    return text.replace('<', '&lt;')


#: Variables that are no settings: who reads them, what holds without them, and what they mean. The sources are
#: looked through for others.
VARIABLES = [
    ('OPENSTORE_CONFIG', 'openstore', '/etc/openstore/openstore.conf', 'The file with settings.'),
    ('OPENSTORE_API_KEY', 'openstore', 'a key in the folder of the store', 'The file of an API key.'),
    ('OPENSTORE_API_ISSUER', 'openstore', 'what the folder of the store says', 'Who issued the API key.'),
    ('OPENSTORE_PROFILE', 'apps, `openstore account`', 'embedded.storeprofile next to the app',
     'The provisioning profile, which tells an app its store.'),
    ('OPENSTORE_SHEET', 'apps', 'terminal',
     'How an app asks its customer to confirm a purchase: `terminal`, `browser` for a page of the store, or, in the '
     'sandbox, `accept` and `decline`, which answer without a person.'),
    ('OPENSTORE_TESTER', 'apps', '', 'Who signs in where `OPENSTORE_SHEET` is `accept` or `decline`: EMAIL:PASSWORD.'),
    ('OPENSTORE_TEST', 'apps', '',
     'What `openstore test` tells the command that it runs: addresses, keys and the root certificate, as JSON '
     '([Testing backends](../Backends/Testing.md)).'),
    ('OPENSTORE_DEVICES', 'apps', '',
     'A folder in which each process of an app gets a device of its own, for tests in several processes.'),
    ('OPENSTORE_DOWNLOADS', 'apps', 'agent',
     '`inside`: an app fetches hosted content by itself, and not by the download agent of the user.'),
    ('OPENSTORE_DOWNLOAD_AGENT', 'apps', 'found by `PATH`', 'The program `openstore-downloads`.'),
    ('XDG_RUNTIME_DIR', 'apps, openstore-downloads', '',
     'Where the download agent listens; without it, apps fetch by themselves.'),
    ('OPENSTORE_LOG', 'apps, openstore', '',
     '`1`: an app with a production profile also writes why a product is invalid, and a command that opens a folder '
     'also writes the store\'s log lines of what went well.'),
    ('LANGUAGE', 'apps', '', 'The languages of the customer, before `LC_ALL`, `LC_MESSAGES` and `LANG`.'),
    ('APPDIR', 'apps', '', 'Where an AppImage is mounted, as its start sets it.'),
    ('APPIMAGE', 'apps', '', 'The file of an AppImage, beside which its profile lies.'),
    ('XDG_DATA_HOME', 'openstore', '~/.local/share', 'Where `openstore install` puts apps.'),
    ('XDG_DOWNLOAD_DIR', 'apps', 'what `user-dirs.dirs` says', 'Where a purchase is downloaded to from a terminal.'),
    ('XDG_STATE_HOME', 'apps', '~/.local/state', 'Where an app keeps its journal of purchases.'),
    ('XDG_CACHE_HOME', 'apps, `openstore intercept`', '~/.cache',
     'Where downloads are kept, and the root certificate of an interception.'),
    ('XDG_CONFIG_HOME', 'apps, openstore', '~/.config',
     'Where the session of a customer is kept, and that of `openstore login`.'),
    ('HOME', 'apps, openstore', 'the home folder of the user', 'Where the three folders above are.'),
    ('BROWSER', 'apps', 'xdg-open on a desktop',
     'Programs that open an address, with colons between them; `%s` stands for the address.'),
    ('DISPLAY', 'apps', '', 'Says that there is a desktop on which a browser can be opened.'),
    ('WAYLAND_DISPLAY', 'apps', '', 'The same.'),
    ('PATH', 'apps, openstore', '', 'Where programs are found: the browser, and what `openstore intercept run` runs.'),
    ('NO_COLOR', 'openstore', '', 'Writes no colours where it is set to anything.'),
    ('AWS_ACCESS_KEY_ID', 'openstore', '', 'The key of the object store.'),
    ('AWS_SECRET_ACCESS_KEY', 'openstore', '', 'Its secret half.'),
    ('AWS_SESSION_TOKEN', 'openstore', '', 'Comes with keys that are good for some hours.'),
    ('NO_PROXY', '`openstore intercept`', '', 'Hosts that programs reach without the interception; `no_proxy` comes first.'),
    ('no_proxy', '`openstore intercept`', '', 'The same, and comes first.'),
    ('LISTEN_FDS', '`openstore serve`', '', 'The number of sockets that systemd has opened (`openstore.socket`).'),
    ('TMPDIR', '`openstore`, tests', '/tmp', 'Where temporary files are made. Stores of `StoreKitTest` and `openstore test` '
     'begin in `/dev/shm` unless it is set.'),
    ('LISTEN_PID', '`openstore serve`', '', 'The process that these sockets are for.'),
]
#: Read by libraries, not by our sources.
LIBRARY_VARIABLES = [
    ('PGPASSWORD, PGPASSFILE, PGSSLMODE, …', 'openstore', '',
     'What libpq reads for what the address of a PostgreSQL database does not say.'),
    ('SSL_CERT_FILE, SSL_CERT_DIR', 'openstore, apps', 'the system\'s',
     'The certificates that OpenSSL trusts.'),
    ('http_proxy, HTTPS_PROXY, …', 'openstore', '', 'The proxy that libcurl uses for requests to stores.'),
]
#: Written for other programs, or for a child of the program's own.
WRITTEN_VARIABLES = {
    'OPENSTORE_DEMO_SCENARIO', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS',
    'NODE_USE_ENV_PROXY', 'REQUESTS_CA_BUNDLE', 'HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'}


def settings_page(tree):
    serve = next(command for group in tree['groups'] for noun in group['nouns'] for command in noun['commands']
                 if command['words'] == ['serve'])
    rows = [(code(one['name']), code(one['variable']), code(one['default']), one['help'])
            for one in serve['options'] if one['isSetting']]
    variables = {one['variable'] for group in tree['groups'] for noun in group['nouns']
                 for command in noun['commands'] for one in command['options'] if one['variable']}
    check_variables(variables)
    known = {name for name, *_ in VARIABLES}
    return page(
        'Settings and variables',
        'A setting is given as an option of a command, as a variable of the environment or in the file of settings '
        '(`/etc/openstore/openstore.conf`); the first of these counts. `openstore configuration` writes a file with '
        'all of them, and `openstore configuration --effective` shows which values hold, and from where.\n',
        '## Settings\n', table(['Setting', 'Variable', 'Default', 'Meaning'], rows),
        '## Other variables\n',
        table(['Variable', 'Read by', 'Default', 'Meaning'],
              [(code(name), who, default, meaning) for name, who, default, meaning in VARIABLES]
              + [(code(name), 'openstore', '', 'The option of the same name; see [Commands](Commands.md).')
                 for name in sorted(variables - known - {row[1].strip('`') for row in rows})]),
        '## Variables of libraries\n',
        table(['Variable', 'Read by', 'Default', 'Meaning'],
              [(', '.join(code(one) if one != '…' else one for one in name.split(', ')), who, default, meaning)
               for name, who, default, meaning in LIBRARY_VARIABLES]))


def check_variables(settings=frozenset()):
    """Each variable that the sources read is in the tables, and each of the tables is read."""
    found = set()
    for file in swift_files('Sources'):
        text = read(file)
        found |= set(re.findall(r'\benvironment\["(\w+)"\]', text))
        found |= set(re.findall(r'"((?:OPENSTORE|XDG|AWS|LISTEN)_[A-Z_]*[A-Z])"', text))
        found |= set(re.findall(r'"(DISPLAY|WAYLAND_DISPLAY|BROWSER|NO_COLOR|CI)"', text))
        found |= set(re.findall(r'getenv\("(\w+)"\)', text))
    known = {name for name, *_ in VARIABLES}
    # Settings have variables that are made of their names; without a program they are not known here.
    missing = {one for one in found - known - WRITTEN_VARIABLES - set(settings) if settings or one != 'OPENSTORE_URL'}
    if not settings:
        missing -= {'OPENSTORE_DATA', 'OPENSTORE_CONTENT', 'OPENSTORE_DATABASE', 'OPENSTORE_CONTENT_KEY'}
    if missing:
        raise NotRead(f'Scripts/reference.py does not explain the variables {", ".join(sorted(missing))}')
    if known - found:
        raise NotRead(f'no source reads the variables {", ".join(sorted(known - found))} of Scripts/reference.py')


# Metrics


#: What labels may say, where it is no list in the sources.
LABEL_VALUES = {
    'version': 'the version of the program',
    'route': 'the pattern of the route, such as `/device/v1/products`, or `none`',
    'method': '`GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`, `other`',
    'status': 'the HTTP status, `0` for a request without an answer, or `other`',
    'interface': 'the first part of the path (`device`, `connect`, `inApps`, …), `storefront` for its pages, or `none`',
    'le': 'the upper bound of a bucket',
    'quantile': 'the quantile',
}
#: A job that never runs by itself: its row in the database keeps a time.
NO_JOBS = {'watching_clock'}


def jobs():
    found = [(value.lower(), doc[0]) for _, value, doc in cases(f'{CORE}/Jobs/StoreJob.swift', 'enum StoreJob')]
    found += [(value, doc[0]) for _, value, doc in cases(f'{STORE}/Running/StoreTask.swift', 'enum StoreTask')]
    return sorted(one for one in found if one[0] not in NO_JOBS)


def metrics():
    file = f'{STORE}/Running/Metrics/MetricsReport.swift'
    text = read(file)
    found = collections.OrderedDict()
    values = collections.defaultdict(set)
    for match, arguments in calls(file, r'text\.(?:begin|single)'):
        found[sentence(arguments[0])] = (arguments[1].lstrip('.'), sentence(arguments[2]), [])
    for match, arguments in calls(file, r'text\.(?:value|histogram)'):
        name = sentence(arguments[0])
        for key, value in re.findall(r'[\["(]?"(\w+)"[:,]\s*("?[\w.\[\]$ ]+"?)', arguments[1]):
            found[name][2].append(key) if key not in found[name][2] else None
            if value.startswith('"'):
                values[(name, key)].add(value.strip('"'))
        if 'text.histogram' in match[0] and 'le' not in found[name][2]:
            found[name][2].append('le')
    reasons = re.findall(r'case \.\w+: "(\w+)"', text[text.index('extension ConnectionEnd'):])
    rows = []
    for name, (kind, meaning, labels) in found.items():
        if None in (name, meaning):
            raise NotRead(f'{file}: a metric without name or meaning')
        shown = []
        for key in labels:
            if key == 'job':
                said = '[the jobs](#jobs)'
            elif key == 'reason':
                said = ', '.join(code(one) for one in reasons)
            elif (name, key) in values:
                said = ', '.join(code(one) for one in sorted(values[(name, key)]))
            elif key in LABEL_VALUES:
                said = LABEL_VALUES[key]
            else:
                raise NotRead(f'{file}: nothing is known of the values of the label {key}')
            shown.append(f'`{key}`: {said}')
        rows.append((code(name), kind, '; '.join(shown), meaning))
    return page(
        'Metrics',
        '`GET /metrics` answers in the text format of Prometheus. Only the machine itself may ask, and those whom '
        '`--metrics-from` names. Counters begin with 0 when the process starts.\n',
        table(['Metric', 'Type', 'Labels', 'Meaning'], sorted(rows, key=lambda row: row[0].strip('`'))),
        '## Jobs\n\nThe label `job`, and the field `job` of the [log](LogMessages.md).\n',
        table(['Job', 'What it does'], [(code(name), meaning) for name, meaning in jobs()]))


# The log


def log_messages():
    events = cases(f'{STORE}/Running/LogEvent.swift', 'enum LogEvent')
    levels, fields = collections.defaultdict(list), collections.defaultdict(list)
    for file in swift_files('Sources/Store', 'Sources/Commands'):
        for match, arguments in calls(file, r'\blog\.write'):
            if len(arguments) < 2 or not re.fullmatch(r'\.\w+', arguments[1]):
                raise NotRead(f'{file}: log.write({", ".join(arguments[:2])}) names no LogEvent')
            name = arguments[1][1:]
            levels[name] += [one for one in re.findall(r'\.(info|warning|error)\b', arguments[0])
                             if one not in levels[name]]
            given = arguments[2] if len(arguments) > 2 else ''
            if given and not given.startswith('['):
                given = re.search(rf'let {given}: KeyValuePairs = (\[[^\]]*\])', read(file))[1]
            for part in pieces(given + ')', 1) if given else []:
                key = re.match(r'"(\w+)":', part)
                if key and key[1] not in fields[name]:
                    fields[name].append(key[1])
    rows = []
    for name, value, doc in events:
        if name not in levels:
            raise NotRead(f'nothing writes the event {name} of LogEvent')
        rows.append((code(value), ', '.join(levels[name]), ', '.join(code(one) for one in fields[name]), doc[0],
                     ' '.join(doc[1:]) or 'Nothing.'))
    unknown = set(levels) - {name for name, *_ in events}
    if unknown:
        raise NotRead(f'LogEvent has no {", ".join(unknown)}')
    return page(
        'Log messages',
        '`openstore serve` writes one line for each event to standard error:\n',
        '```text\ntime=2026-11-25T08:00:00.500Z level=error event="request failed" request=6d0c8f0e reason="disk I/O error"\n```\n',
        'First come `time` (UTC), `level` (`info`, `warning` or `error`) and `event`, then the fields of the event, '
        'in the order of the table. A value with anything but plain characters is in quotes; `"` and `\\` in it '
        'have a `\\` before them, and what could steer a terminal is written as `\\n` or `\\u{…}`. Requests are '
        'left out with `--no-request-log`.\n',
        table(['Event', 'Level', 'Fields', 'What has happened', 'What to do'], rows))


# Error codes


def server_errors():
    file = f'{API}/Servers/Messages/ServerErrorCode.swift'
    text, sentences = read(file), read(file.replace('.swift', '+Sentence.swift'))
    said = {name: plain(text) for name, text in re.findall(
        r'case \.(\w+):\s*"((?:[^"\\]|\\.)*)"', sentences)}
    rows = []
    for name, value in re.findall(r'^    case (\w+) = ([\d_]+)$', text, re.MULTILINE):
        if name not in said:
            raise NotRead(f'{file}: {name} has no sentence')
        number = int(value.replace('_', ''))
        rows.append((number, number // 10_000, said[name]))
    return rows


def device_errors():
    file = 'Sources/Shared/StoreWire/WireError.swift'
    text = read(f'{API}/WireAnswer.swift')
    part = text[text.index('var status: Int'):]
    statuses = {}
    for names, status in re.findall(r'case ((?:\.\w+[,\s]*)+):\s*(\d{3})', part[:part.index('default')]):
        statuses.update({name: int(status) for name in re.findall(r'\.(\w+)', names)})
    return [(code(name), statuses.get(name, 500), ' '.join(doc)) for name, _, doc in documented(
        file, r'    package static let (\w+) = Self\("(\w+)"\)$')]


def receipt_statuses():
    return [(value, ' '.join(doc)) for _, value, doc in documented(
        f'{API}/Receipts/VerifyReceiptStatus.swift',
        r'    static let (\w+) = VerifyReceiptStatus\(rawValue: (\d+)\)$')]


def exit_codes():
    file = 'Sources/Commands/StoreCommands/ExitCode.swift'
    text = read(file)
    said = {name: plain(meaning) for name, meaning in re.findall(r'case \.(\w+): "([^"]*)"', text)}
    found = re.findall(r'^    case (\w+) = (\d+)$', text, re.MULTILINE)
    if not found or {name for name, _ in found} - set(said):
        raise NotRead(f'{file}: a code without a meaning')
    return [(value, said[name]) for name, value in found]


KINDS = {
    'notFound': '404 `NOT_FOUND`', 'forbidden': '403 `FORBIDDEN_ERROR`', 'invalid': '409 `ENTITY_ERROR…INVALID`',
    'taken': '409 `ENTITY_ERROR…INVALID.DUPLICATE`', 'state': '409 `STATE_ERROR.…`',
    'tooMany': '429 `RATE_LIMIT_EXCEEDED`'}


def families():
    """The codes of Connect's errors: status, code, title."""
    found = set()
    for file in swift_files(f'{API}/Connect', API):
        for match in re.finditer(r'(?:\bone\(\s*|status: )(\d{3}),\s*(?:code: )?"([A-Z_.]+)",\s*(?:title: )?"', read(file)):
            title = sentence(pieces(read(file), match.end() - 1)[0])
            found.add((int(match[1]), match[2], title))
    texts = read(f'{API}/Connect/Description/SchemaCheck.swift')
    kinds = dict(re.findall(r'case (\w+) = "([A-Z.]+)"', texts))
    titles = dict(re.findall(r'case \.(\w+): "([^"]*)"', texts[texts.index('enum EntityProblem'):]))
    for name, value in kinds.items():
        for part in ('', 'ATTRIBUTE.', 'RELATIONSHIP.'):
            found.add((409, f'ENTITY_ERROR.{part}{value}', titles[name]))
    by_code = collections.OrderedDict()
    for status, value, title in sorted(found):
        by_code.setdefault((status, value), []).append(title.rstrip('.') + '.')
    return [(status, code(value), ' / '.join(dict.fromkeys(said))) for (status, value), said in by_code.items()]


def rules():
    """The rules that Connect's refusals name: rule, kinds, and what is said."""
    found = collections.defaultdict(lambda: (set(), []))

    def add(rule, kind, problem, help_text):
        found[rule][0].add(kind)
        text = f'{problem or "…"} {help_text or "…"}'.replace('… …', '…')
        if text not in found[rule][1]:
            found[rule][1].append(text)

    for file in swift_files(CORE, API, STORE, 'Sources/Store/StorePages'):
        text = read(file)
        wrappers = {}
        for match, arguments in calls(file, r'\bConnectRefusal'):
            named = dict(label(one) for one in arguments if label(one)[0])
            if not arguments[0].startswith('.') or 'rule' not in named:
                continue
            kind = arguments[0][1:]
            rest = [one for one in arguments[1:] if not label(one)[0]]
            problem, help_text = sentence(rest[0]) if rest else None, sentence(named.get('help', ''))
            rule = re.fullmatch(r'"([A-Za-z.]+)"', named['rule'])
            if rule:
                add(rule[1], kind, problem, help_text)
                continue
            functions = re.findall(r'func (\w+)\(([^{]*?)\)\s*(?:throws )?(?:->|\{)', text[:match.start()], re.DOTALL)
            function, parameters = functions[-1] if functions else ('', '')
            types = {one.split(':')[0].split()[-1]: one.split(':')[1].strip()
                     for one in parameters.split(',') if ':' in one}
            # The case of an enumeration: one rule for each.
            way = re.fullmatch(r'"([\w.]*)\\\((\w+)\.rawValue\)"', named['rule'])
            if way and way[2] in types:
                for _, value, _ in cases(file, f'enum {types[way[2]]}'):
                    add(way[1] + value, kind, problem, help_text)
                continue
            # A function that is given the rule's name, or the beginning of it: its calls say the rest.
            way = re.fullmatch(r'"\\\((\w+)\)(\w*)"|(\w+)', named['rule'])
            given_by = way and (way[1] or way[3])
            if given_by not in types:
                raise NotRead(f'{file}: a refusal whose rule is {named["rule"]}')
            wrappers.setdefault((function, tuple(types), given_by), []).append(
                (kind, way[2] or '', problem, help_text))
        for (name, names, given_by), ways in wrappers.items():
            for other in swift_files(os.path.dirname(file)):
                for _, arguments in calls(other, rf'(?<!\w){name}'):
                    given = dict(zip(names, (label(one)[1] for one in arguments)))
                    rule = re.fullmatch(r'"([a-z]\w*)"', given.get(given_by, ''))
                    if rule and len(arguments) == len(names):
                        for kind, suffix, problem, help_text in ways:
                            add(rule[1] + suffix, kind, problem or sentence(given.get('problem', '')),
                                help_text or sentence(given.get('help', '')))
    if len(found) < 150:
        raise NotRead(f'only {len(found)} rules of Connect were found')
    return [(code(rule), ', '.join(sorted(KINDS[kind] for kind in kinds)), ' / '.join(texts[:3]))
            for rule, (kinds, texts) in sorted(found.items(), key=lambda one: one[0].lower())]


def error_codes():
    return page(
        'Error codes',
        'What went wrong, for programs. The sentences beside the codes are for people, and may change.\n',
        '- [App Store Server API](#app-store-server-api)\n- [Devices](#devices)\n- [Connect](#connect)\n'
        '- [/verifyReceipt](#verifyreceipt)\n- [Exit codes](#exit-codes)\n',
        '## App Store Server API\n\n`errorCode` of an answer, with the `errorMessage` that comes with it. Where it says '
        '"Please try again", the same request may succeed later.\n',
        table(['Code', 'Status', 'Message'], server_errors()),
        '## Devices\n\n`code` of an answer to an app, which the framework turns into an `SKError`. For `productInvalid` '
        'see [Reasons for invalid products](ProductReasons.md).\n',
        table(['Code', 'Status', 'Meaning'], device_errors()),
        '## Connect\n\nAn error has a `status`, a `code` that begins with one of these families, a `title`, a `detail` in '
        'one or two sentences, and in `source` where it is. In `meta.rule` is the rule that was broken.\n',
        table(['Status', 'Code', 'Title'], families()),
        '### Rules\n\n`…` stands for a name, a number or a sentence. A rule that is broken in several ways says several things. '
        'For `STATE_ERROR` the rule follows, in capitals: `STATE_ERROR.SKU_TAKEN`.\n',
        table(['Rule', 'Status and code', 'What is said'], rules()),
        '## /verifyReceipt\n\n`status` of the answer.\n',
        table(['Status', 'Meaning'], receipt_statuses()),
        '## Exit codes\n\nHow `openstore` ends.\n',
        table(['Code', 'Meaning'], exit_codes()))


# Roles


def roles():
    file = f'{CORE}/Connect/Access/ConnectPermission.swift'
    text = read(file)
    role_file = f'{CORE}/Connect/Access/ConnectRole.swift'
    known = re.findall(r'^    case `?(\w+)`? = "(\w+)"$', read(role_file), re.MULTILINE)
    titles = dict(re.findall(r'case \.(\w+): "([^"]+)"', read(role_file)))
    sets = {}

    def value(expression):
        expression = ' '.join(expression.split())
        found = re.fullmatch(r'(\w+|\[.*?\])((?:\.union\(\[.*?\]\))*)', expression)
        if not found:
            raise NotRead(f'{file}: {expression}')
        if found[1].startswith('['):
            made = set(re.findall(r'\.(\w+)', found[1]))
        elif found[1] in sets:
            made = set(sets[found[1]])
        else:
            raise NotRead(f'{file}: {found[1]}')
        return made | set(re.findall(r'\.(\w+)', re.sub(r'\.union\(', '', found[2])))

    for name, expression in re.findall(r'private static let (\w+): Set<ConnectRole> = (\[[^\]]*\])', text):
        sets[name] = value(expression)
    start = text.index('let table: [ConnectPermission: Set<ConnectRole>] = [')
    body = text[text.index('= [', start) + 3:]
    allowed = {}
    for entry in pieces(body.replace('\n        ]\n', ')', 1), 0):
        name, expression = entry.split(':', 1)
        allowed[name.strip().lstrip('.')] = value(expression.strip()) | {'operator'}
    permissions = cases(file, 'enum ConnectPermission')
    if {name for name, *_ in permissions} != set(allowed):
        raise NotRead(f'{file}: the table has other permissions than the enumeration')
    names = [name for name, _ in known]
    return page(
        'Roles and permissions',
        'What the roles of Connect may do, in the portal, in the API and with `openstore`. The Operator may do everything; '
        'Operators and Reviewers are the store\'s own staff, and belong to no team.\n',
        table(['Role', 'In the API'], [(titles[name], code(value)) for name, value in known]),
        '## Permissions\n',
        table(['Permission'] + [titles[name] for name in names],
              [(doc[0].rstrip('.'), *('✓' if name in allowed[permission] else '' for name in names))
               for permission, _, doc in permissions]))


# Limits

#: What is limited: in which file and by which constant, and what its number counts.
LIMITS = [
    ('Requests and connections', [
        ('Requests of one address in a minute', f'{STORE}/Running/Serving/ServingSettings.swift', 'standardRequestsPerMinuteOfAddress', 'requests; `--requests-per-minute-address`'),
        ('Requests of one customer, key or person in a minute', f'{STORE}/Running/Serving/ServingSettings.swift', 'standardRequestsPerMinuteOfAccount', 'requests; `--requests-per-minute-account`'),
        ('Requests of one key to the App Store Server API in a minute', f'{API}/Servers/RequestLimiter.swift', r'standard', 'requests'),
        ('Connections of one address', f'{STORE}/Running/Serving/ServingSettings.swift', 'standardConnectionsPerClient', '; `--connections-per-address`'),
        ('Connections of a process', 'Sources/Store/StoreHTTP/HTTPServer+Configuration.swift', 'connectionLimit', ''),
        ('Silence of a connection', 'Sources/Store/StoreHTTP/HTTPServer+Configuration.swift', 'idleSeconds', 'seconds'),
        ('Body of a request, unless another limit is named', 'Sources/Store/StoreHTTP/HTTPServer+Configuration.swift', 'bodyLimit', 'bytes'),
        ('Document of Connect\'s API', f'{API}/Connect/Documents/RequestBodyParser.swift', 'bodyLimit', 'bytes'),
        ('Tunnels of the interception', f'{STORE}/Running/Interception.swift', 'tunnelLimit', ''),
    ]),
    ('Accounts and sessions', [
        ('Password of a customer, at least', f'{CORE}/Accounts/CustomerPassword.swift', 'shortest', 'characters'),
        ('Password of a customer', f'{CORE}/Accounts/CustomerPassword.swift', 'longest', 'bytes'),
        ('Password in Connect, at least', f'{CORE}/Connect/People/PersonRules.swift', 'shortestPassword', 'characters'),
        ('Password in Connect', f'{CORE}/Connect/People/PersonRules.swift', 'longestPassword', 'bytes'),
        ('Wait after wrong passwords', f'{CORE}/Accounts/SignInRules.swift', 'longestDelay', 'seconds'),
        ('Session of a customer on a device', f'{CORE}/Accounts/AccountService.swift', 'sessionDuration', 'seconds'),
        ('Session in Connect', f'{CORE}/Connect/People/ConnectSession.swift', 'duration', 'seconds'),
        ('Session in Connect without use', f'{CORE}/Connect/People/ConnectSession.swift', 'idleDuration', 'seconds'),
        ('Link to a new password', f'{CORE}/Accounts/PasswordReset.swift', 'duration', 'seconds'),
        ('Invitation to a team', f'{CORE}/Connect/People/Invitation.swift', 'duration', 'seconds'),
        ('Open invitations of a team', f'{CORE}/Connect/People/InvitationService.swift', 'limit', ''),
        ('Keys of a team that are not revoked', f'{CORE}/Connect/Keys/TeamKeyService.swift', 'limit', ''),
        ('Token of Connect\'s API', f'{CORE}/Connect/Keys/APITokenRules.swift', 'lifetime', 'seconds'),
        ('Token of the App Store Server API', f'{CORE}/Connect/Keys/APITokenRules.swift', 'longestAhead', 'seconds'),
        ('Members of a family', f'{CORE}/Families/Family.swift', 'sizeLimit', ''),
    ]),
    ('Products and purchases', [
        ('Products of an app, without deleted ones', f'{CORE}/Connect/Products/ProductService.swift', 'limit', ''),
        ('Promoted products of an app', f'{CORE}/Connect/Products/Promotion.swift', 'limit', ''),
        ('Prices of a product', f'{CORE}/Connect/Products/PriceRules.swift', 'entryLimit', ''),
        ('Note to reviewers', f'{CORE}/Connect/Products/ProductDetailRules.swift', 'reviewNoteLimit', 'characters'),
        ('Review screenshot', f'{CORE}/Connect/Products/AssetRules.swift', 'sizeLimit', 'bytes'),
        ('Products in a submission', f'{CORE}/Connect/Review/SubmissionRules.swift', 'largestSubmission', ''),
        ('Validity of a provisioning profile', f'{CORE}/Connect/Identifiers/ProfileService.swift', 'lifetime', 'seconds'),
        ('Quantity of a purchase', 'Sources/Shared/StoreModel/Products/ProductType.swift', 'quantities', 'range'),
        ('Wait for an approval', f'{CORE}/Purchasing/PendingPurchase.swift', 'approvalPeriod', 'seconds'),
        ('Passwords tried for an approval', f'{CORE}/Purchasing/ApprovalService.swift', 'attemptLimit', ''),
        ('Purchases in a receipt', f'{CORE}/Receipts/ReceiptRules.swift', 'limit', ''),
        ('Renewals of a subscription in the sandbox', f'{CORE}/Sandbox/SandboxRules.swift', 'sandboxRenewals', ''),
        ('Extensions of a subscription in 365 days', f'{CORE}/Subscriptions/RenewalExtension.swift', 'limit', ''),
        ('Mass extensions of an app that are not finished', f'{CORE}/Subscriptions/ExtensionService.swift', 'unfinishedLimit', ''),
        ('Mass extensions of an app in a day', f'{CORE}/Subscriptions/ExtensionService.swift', 'dailyLimit', ''),
        ('Days in which a refund can be requested', f'{CORE}/Refunds/RefundRules.swift', 'askingDays', 'days'),
        ('Answer of the publisher\'s server about a refund', f'{CORE}/Refunds/RefundRules.swift', 'answerTime', 'seconds'),
        ('The same in the sandbox', f'{CORE}/Refunds/RefundRules.swift', 'sandboxAnswerTime', 'seconds'),
    ]),
    ('Hosted content', [
        ('Package', 'Sources/Shared/StoreModel/Content/PackageSize.swift', 'largest', 'bytes'),
        ('Part of an upload', f'{CORE}/Content/UploadRules.swift', 'partSize', 'bytes'),
        ('Uploads of a team at once', f'{CORE}/Content/UploadRules.swift', 'openUploads', ''),
        ('Upload without a new part', f'{CORE}/Content/UploadRules.swift', 'patience', 'seconds'),
        ('Disk that uploads leave free', f'{CORE}/Content/UploadRules.swift', 'reserve', 'bytes'),
        ('Attempts to process a package', f'{CORE}/Content/UploadRules.swift', 'attempts', ''),
        ('Least time that a version is kept after its last use', f'{CORE}/Content/ContentRetentionPolicy.swift', 'shortest', 'seconds'),
    ]),
    ('Notifications and histories', [
        ('Answer of a publisher\'s server', f'{CORE}/Notifications/DeliveryRules.swift', 'timeout', 'seconds'),
        ('Hours between attempts in production', f'{CORE}/Notifications/DeliveryRules.swift', 'productionHours', 'list'),
        ('Test notifications of an app in a minute', f'{CORE}/Notifications/NotificationService.swift', 'testLimit', ''),
        ('Reach of the notification history', f'{CORE}/Notifications/NotificationHistory.swift', 'reach', 'seconds'),
        ('Notifications on a page', f'{CORE}/Notifications/NotificationService.swift', 'pageSize', ''),
        ('Transactions on a page of the history', f'{CORE}/Transactions/HistoryService.swift', 'pageSize', ''),
        ('Transactions that one page looks through', f'{CORE}/Transactions/HistoryService.swift', 'walkLimit', ''),
        ('Days of a sales report', f'{CORE}/Sales/SalesQuery.swift', 'longestRange', 'days'),
        ('Lines of a sales report', f'{CORE}/Sales/SalesReport.swift', 'lineLimit', ''),
    ]),
    ('Storefront', [
        ('Title of an item', f'{CORE}/Storefront/Items/ItemRules.swift', 'longestTitle', 'characters'),
        ('Description of an item', f'{CORE}/Storefront/Items/ItemRules.swift', 'longestText', 'characters'),
        ('Languages of an item', f'{CORE}/Storefront/Items/ItemRules.swift', 'mostLanguages', ''),
        ('Genres of an item', f'{CORE}/Storefront/Items/ItemRules.swift', 'mostGenres', ''),
        ('Title of a review', f'{CORE}/Storefront/Reviews/ReviewDraft.swift', 'titleLength', 'characters'),
        ('Text of a review', f'{CORE}/Storefront/Reviews/ReviewDraft.swift', 'bodyLength', 'characters'),
        ('Nickname of a reviewer', f'{CORE}/Storefront/Reviews/ReviewDraft.swift', 'nicknameLength', 'characters'),
        ('Answer of a publisher to a review', f'{CORE}/Storefront/Reviews/CustomerReviewService+Moderation.swift', 'responseLength', 'characters'),
        ('Words of `--held-words`', f'{CORE}/Storefront/StorefrontSettings.swift', 'heldWordLimit', ''),
        ('Sides of artwork', f'{CORE}/Storefront/Media/ItemMediaRules.swift', 'artworkSides', 'range'),
        ('Pixels of a picture', 'Sources/Store/StorePictures/Picture.swift', 'pixelLimit', ''),
        ('Kept resized pictures', f'{STORE}/Store.swift', 'renditionLimit', 'bytes'),
        ('Line of an import of items', f'{STORE}/Catalog/ItemImport.swift', 'longestLine', 'bytes'),
        ('Term of a search', f'{API}/Storefront/Parameters/SearchParameters.swift', 'longestTerm', 'characters'),
        ('Values of a lookup', f'{API}/Storefront/Parameters/LookupParameters.swift', 'mostValues', ''),
        ('Entries of a chart', f'{API}/Storefront/Feeds/ChartFeed.swift', 'largestLimit', ''),
        ('Callback name of JSONP', f'{API}/Storefront/Parameters/CallbackName.swift', 'longest', 'characters'),
    ]),
]
SPANS = [(365 * 86_400, 'year'), (86_400, 'day'), (3600, 'hour'), (60, 'minute'), (1, 'second')]
SIZES = [(1 << 30, 'GiB'), (1_000_000_000, 'GB'), (1 << 20, 'MiB'), (1 << 10, 'KiB')]


def shown_limit(text, unit):
    if unit == 'range':
        low, high = (number(one) for one in text.split('...'))
        return f'{low} to {high:,}'
    if unit == 'list':
        return ', '.join(str(number(one)) for one in text.strip('[]').split(','))
    if 'ServerRequestLimit' in text:
        text = re.search(r'requests: ([\d_]+)', text)[1]
    value = number(text)
    if unit == 'seconds':
        for size, name in SPANS:
            if value % size == 0 and value >= size:
                count = value // size
                return f'{count:,} {name}' + ('s' if count != 1 else '')
    if unit == 'bytes':
        for size, name in SIZES:
            if value % size == 0:
                return f'{value // size:,} {name}'
    return f'{value:,}' + (unit if unit.startswith(';') else f' {unit}' if unit else '')


def limits():
    parts = ['Where a limit can be set, the option is named; the others are fixed. What goes beyond a limit is refused, '
             'and says so.\n\nCharacters are Unicode code points. Only in passwords and search terms, a character is what '
             'people see as one.\n']
    for title, rows in LIMITS:
        parts += [f'## {title}\n', table(['What', 'Limit'], [
            (what, shown_limit(constant(file, name), unit)) for what, file, name, unit in rows])]
    return page('Limits', *parts)


# Reasons for invalid products


def product_reasons():
    file = f'{CORE}/Catalog/InvalidReason.swift'
    text = read(file)
    reasons = documented(file, r'    case (\w+)(?:\(.*\))?$', 'enum InvalidReason')
    message = text[text.index('func message'):]
    rows = []
    for name, doc in reasons:
        said = re.search(rf'case \.{name}(?:\([^:]*\))?:\s*((?:"(?:[^"\\]|\\.)*"\s*\+?\s*)+)', message)
        help_text = sentence(said[1].strip()) if said else None
        if not help_text:
            raise NotRead(f'{file}: {name} has no message')
        rows.append((code(name), doc[0], help_text))
    return page(
        'Reasons for invalid products',
        'A products request gives the identifiers that the app can\'t sell in `invalidProductIdentifiers`. Why is in the '
        'app\'s log, and in `reason` of the store\'s answer; nothing is invalid without a reason.\n',
        table(['Reason', 'Meaning', 'What the log says'], rows))


# The database

SCHEMA = 'Sources/Store/CStoreSchema'


def schema_sections():
    """The sections of Schema.sql and the steps behind it: heading, then tables as (name, meaning, columns,
    what they refer to)."""
    sections, known = [], set()
    schema, steps = read(f'{SCHEMA}/Schema.sql'), read(f'{SCHEMA}/Steps.sql')
    base = int(re.match(r'-- The base schema, number (\d+):', schema)[1])
    for text in [schema] + [step for step in re.split(r'^(?=-- Step )', steps, flags=re.M)[1:]
                            if int(re.match(r'-- Step (\d+):', step)[1]) > base]:
        if text is not schema:
            sections.append((re.match(r'-- (.*)\.\n', text)[1], []))
        for part in re.finditer(
                r'^-- (?P<heading>.+)\n-- =+$|(?P<comment>(?:^--.*\n)*)^CREATE (?:VIRTUAL )?(?:TABLE|VIEW) '
                r'(?P<name>\w+)(?P<body>(?:--.*|[^;])*);|^ALTER TABLE (?P<table>\w+) ADD COLUMN (?P<column>\w+)', text, re.M):
            if part['heading']:
                sections.append((part['heading'], []))
            elif part['name'] in known:
                continue  # A view that is made anew.
            elif part['name']:
                known.add(part['name'])
                meaning = ' '.join(line[2:].strip() for line in part['comment'].splitlines())
                if not meaning:
                    raise NotRead(f'{SCHEMA}: no comment stands directly above {part["name"]}')
                body = re.sub(r'--.*', '', part['body'])
                columns = re.findall(r'^    (?!UNIQUE|CHECK|PRIMARY|FOREIGN)([a-z]\w*) [A-Z]', body, re.M)
                sections[-1][1].append(
                    (part['name'], meaning, columns, sorted(set(re.findall(r'REFERENCES (\w+)', body)))))
            elif part['table']:
                added = sections[-1][1]
                if added and added[-1][0] == part['table']:
                    added[-1][2].append(part['column'])
                else:
                    added.append((part['table'], 'More columns.', [part['column']], []))
    return sections


def schema():
    parts = ['The tables of the database, drawn from `Sources/Store/CStoreSchema`, where rules, indexes, triggers and what '
             'single columns mean stand too. Views and tables for search have no columns here.\n']
    for heading, tables in schema_sections():
        if tables:
            parts += [f'## {heading}\n', table(['Table', 'Meaning', 'Columns', 'Refers to'], [
                (code(name), meaning, ', '.join(map(code, columns)), ', '.join(map(code, others)))
                for name, meaning, columns, others in tables])]
    return page('Database schema', *parts)


FROM_SOURCES = {
    'Metrics.md': metrics, 'LogMessages.md': log_messages, 'ErrorCodes.md': error_codes, 'Roles.md': roles,
    'Limits.md': limits, 'ProductReasons.md': product_reasons, 'Schema.md': schema}


def main(arguments):
    os.chdir(ROOT)
    if set(arguments) - {'--write', '--sources'}:
        sys.exit(__doc__.strip())
    pages, problems = {}, []

    def make(name, function, *values):
        try:
            pages[name] = function(*values)
        except NotRead as problem:
            problems.append(f'{name}: {problem}')

    for name, function in FROM_SOURCES.items():
        make(name, function)
    if '--sources' in arguments:
        make('Settings.md', lambda: check_variables())
        pages.pop('Settings.md', None)
    else:
        try:
            tree = program_help()
            make('Commands.md', commands, tree)
            make('Settings.md', settings_page, tree)
        except NotRead as problem:
            problems.append(str(problem))
    os.makedirs(FOLDER, exist_ok=True)
    for name, text in pages.items():
        path = os.path.join(FOLDER, name)
        known = open(path, encoding='utf-8').read() if os.path.exists(path) else ''
        if known == text:
            continue
        if '--write' in arguments:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            print(f'wrote {path}')
        else:
            problems.append(f'{path} is not what the sources say; run make reference')
    for problem in problems:
        print(f'reference: error: {problem}', file=sys.stderr)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
