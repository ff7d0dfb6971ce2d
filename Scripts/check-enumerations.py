#!/usr/bin/env python3
"""Compares the words that the schema lets a column have with the cases of its Swift type.

A column `state TEXT CHECK (state IN ('DRAFT', …))` belongs to a record whose initializer reads it by
`column("state", \\.state)`; the type of that property is an enum with raw values. Columns that no record
reads have their types here. Lists that are a part of a longer condition are not compared.

A word that a statement in StoreCore compares a column with has to be one of those that the schema lists for
a column of that name, or a case of some enum.
"""

import glob
import re
import sys

SCHEMA = 'Sources/Store/CStoreSchema'
# The types of columns that statements of their own write.
TYPES = {'byte_removal.place': 'ByteStoreKind', 'invitation_role.role': 'ConnectRole',
         'ledger_period.reason': 'TransactionReason', 'tester.renewal_rate': 'SubscriptionRenewalRate'}
# Columns that have some of their type's words.
SUBSETS = {
    'bundle_identifier.platform': 'BundleIdentifierPlatform',  # Apple's; the next column has ours.
    'bundle_identifier.own_platform': 'BundleIdentifierPlatform',
    'membership_role.role': 'ConnectRole',  # Roles that a team has.
    'person.staff_role': 'ConnectRole',  # Roles that no team has.
    'product_sale_change.step': 'ProductStep',  # Those by which a sale ends or begins.
    'refused_purchase.offer_problem': 'OfferRefusal',  # None where it is not known.
    'tester_ending.ending': 'TesterStatus',  # None while the tester is active.
}
# What databases say of their own tables.
CATALOG = {'table', 'trigger'}
# Words that no type has.
NO_TYPE = {'prompt.ending', 'prompt.kind', 'refund_request.outcome', 'refused_purchase.refusal'}

SWIFT = sorted(glob.glob('Sources/Store/StoreCore/**/*.swift', recursive=True)
               + glob.glob('Sources/Shared/StoreModel/**/*.swift', recursive=True))
DECLARATION = re.compile(
    r'^( *)(?:(?:package|private|fileprivate|final|indirect) )*(struct|enum|extension|final class|class) ([\w.]+)'
    r'([^{\n]*)\{', re.M)


def without_comments(text):
    return re.sub(r'//[^\n]*', '', text)


def declarations():
    """Each type's name with its outer ones, what it conforms to, and its body."""
    for path in SWIFT:
        text = without_comments(open(path).read())
        for found in DECLARATION.finditer(text):
            end = text.find(f'\n{found[1]}}}\n', found.end())
            outer = [other[3] for other in DECLARATION.finditer(text, 0, found.start())
                     if len(other[1]) < len(found[1])
                     and text.find(f'\n{other[1]}}}\n', other.end()) > found.start()]
            yield '.'.join(outer + [found[3]]), found[2], found[4], text[found.end():end if end > 0 else found.end()]


def cases(body):
    words = []
    # Not the cases of a `switch` in it.
    for line in re.findall(r'^ *case (?!\.|let )([^\n:]*)$', body, re.M):
        for part in line.split(','):
            found = re.fullmatch(r'\s*`?(\w+)`?(?:\s*=\s*"([^"]*)")?\s*', part)
            if not found:
                return None
            words.append(found[2] if found[2] is not None else found[1])
    return words


def columns_of_schema():
    """The words of each column that has some, by table and column; a later step's rule replaces an earlier one."""
    found = {}
    text = re.sub(r'--[^\n]*', '', open(f'{SCHEMA}/Schema.sql').read() + open(f'{SCHEMA}/Steps.sql').read())
    for statement in re.finditer(r'(CREATE TABLE|ALTER TABLE) (\w+)(.*?);\n', text, re.S):
        for column, words in re.findall(r"CHECK \((\w+) IN \(\s*('[^)]*')\s*\)\s*\)", statement[3]):
            found[f'{statement[2]}.{column}'] = re.findall(r"'([^']*)'", words)
    return found


def compared_words():
    """Each word that a statement compares a column with: the file, the column, the word."""
    for path in SWIFT:
        text = without_comments(open(path).read())
        for column, words in re.findall(
                r"\b(\w+)\s+(?:=|<>|IS NOT|IS|(?:NOT )?IN)\s+(?:\(\s*)?('[^'()]*'(?:,\s*'[^'()]*')*)", text):
            for word in re.findall(r"'([^']*)'", words):
                yield path, column, word


def main():
    types, enums, records = {}, {}, []
    for name, kind, rest, body in declarations():
        if kind == 'enum':
            if re.match(r'\s*:.*\bString\b', rest):
                enums[name] = cases(body)
        own = re.findall(r'^ *(?:package |private\(set\) |private |internal\(set\) )*(?:let|var) (\w+): ([\w.]+)\??', body, re.M)
        types.setdefault(name, {}).update(own)
        table = re.search(r'static let table: StaticString = "(\w+)"', body)
        for column, prop in re.findall(r'column\(\s*"(\w+)",\s*\\\.([\w.]+)', body):
            records.append((table and table[1], column, name, prop))

    def enum_of(owner, prop):
        for part in prop.split('.'):
            if part not in types.get(owner, {}):
                return None
            kind = types[owner][part]
            places = owner.split('.')
            names = ['.'.join(places[:count] + [kind]) for count in range(len(places), -1, -1)]
            owner = next((name for name in names if name in enums or name in types), kind)
        return owner if owner in enums else None

    exact, read = {}, {}
    for table, column, owner, prop in records:
        enum = enum_of(owner, prop)
        if enum and table:
            exact[f'{table}.{column}'] = enum
        elif enum:
            read.setdefault(column, set()).add(enum)

    schema, problems = columns_of_schema(), []
    for place, words in sorted(schema.items()):
        if place in SUBSETS:
            if not set(words) < set(enums[SUBSETS[place]]):
                problems.append(f'{place}: not all of {", ".join(words)} are cases of {SUBSETS[place]}')
        elif place not in NO_TYPE:
            known = exact.get(place) or TYPES.get(place)
            types_of_place = [known] if known else sorted(read.get(place.split('.')[1], []))
            if not any(sorted(words) == sorted(enums[name] or []) for name in types_of_place):
                problems.append(f'{place}: the schema has {", ".join(words)}; ' + (
                    f'{known} has {", ".join(enums[known] or ["no literals"])}' if known
                    else f'no record has the same ({", ".join(types_of_place) or "none reads the column"})'))
    words_of = {}
    for place, words in schema.items():
        words_of.setdefault(place.split('.')[1], set(CATALOG)).update(words)
    cased = {word for words in enums.values() for word in words or []}
    for path, column, word in compared_words():
        if column in words_of and word not in words_of[column] | cased:
            problems.append(f"{path}: no column {column} has the word '{word}'")
    for place in (TYPES.keys() | SUBSETS.keys() | NO_TYPE) - schema.keys():
        problems.append(f'{place}: the schema has no words for it any more')
    for problem in problems:
        print(f'enumerations: {problem}', file=sys.stderr)
    print(f'enumerations: {len(schema) - len(NO_TYPE)} columns have the words of their Swift types'
          if not problems else f'enumerations: {len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
