"""Writes or checks what is public: api/*.swiftinterface and Documentation/SymbolTable.md.

Called by check-interface.sh with the folder of what the compiler gave out, and --write.
"""

import collections
import difflib
import json
import pathlib
import re
import sys

WORK = pathlib.Path(sys.argv[1])
WRITES = "--write" in sys.argv[2:]
SYMBOLS = pathlib.Path("api/apple-symbols.tsv")
TABLE = pathlib.Path("Documentation/SymbolTable.md")
TESTS = pathlib.Path("Tests/StoreKitSourceTests")
STATUSES = {"works": "works", "accepted": "accepted without effect", "absent": "absent"}
SECTIONS = {
    "1.2": "SKProduct", "1.3": "SKProductSubscriptionPeriod", "1.4": "SKProductDiscount",
    "1.5": "SKRequest", "1.6": "SKProductsRequest", "1.7": "SKPayment",
    "1.8": "SKPaymentDiscount", "1.9": "SKPaymentQueue", "1.10": "SKPaymentTransactionObserver",
    "1.11": "SKPaymentTransaction", "1.12": "SKDownload", "1.13": "Receipts",
    "1.14": "SKStorefront", "1.15": "SKStoreProductViewController",
    "1.16": "SKStoreReviewController", "1.17": "SKOverlay",
    "1.18": "SKProductStorePromotionController", "1.19": "Music, ad networks, Arcade",
    "1.20": "Errors",
    # StoreKit 2.
    "2.1": "Product", "2.2": "Product.ProductType", "2.3": "Product.PurchaseResult",
    "2.4": "Product.PurchaseError", "2.5": "Product.PurchaseOption",
    "2.6": "Product.SubscriptionPeriod", "2.7": "Product.SubscriptionOffer",
    "2.8": "Product.SubscriptionInfo", "2.9": "Product.SubscriptionInfo.RenewalState",
    "2.10": "Product.SubscriptionInfo.Status", "2.11": "Product.SubscriptionInfo.RenewalInfo",
    "2.12": "Product.PromotionInfo", "2.13": "States of tasks",
    "3": "Transaction", "4": "VerificationResult", "5": "AppStore", "6": "AppTransaction",
    "7": "Storefront", "8": "Message, PurchaseIntent", "9": "StoreKitError",
    "10": "Advanced commerce and external purchases", "13": "SwiftUI",
}
problems = []


# What the compiler prints, without what apps can't see.

HIDDEN = re.compile(r"^\s*(?:(?:@\w+(?:\([^)]*\))?|final|weak|static|unowned)\s+)*"
                    r"(?:private|fileprivate|internal|package)\b(?!\(set\))")


def interface(module):
    lines = []
    depth = None
    for line in (WORK / f"{module}.raw.swiftinterface").read_text().splitlines():
        indent = len(line) - len(line.lstrip())
        if depth is not None:
            if line.strip() == "}" and indent == depth:
                depth = None
            continue
        if line.startswith("// swift-") or re.match(r"import ", line):
            continue
        # Beside a designated initializer that it can't see, a subclass inherits none.
        if "@_hasMissingDesignatedInitializers " in line and " open class " in line:
            problems.append(
                f"{module}: an initializer that apps don't see has to be a convenience one: {line}")
        line = re.sub(r"@_(hasInitialValue|hasMissingDesignatedInitializers) ", "", line)
        if HIDDEN.match(line):
            if line.endswith("{"):
                depth = indent
            continue
        lines.append(line)
    return "\n".join(lines) + "\n"


def enums():
    lines = []
    for symbol in graph["CStoreKitEnums"]:
        if symbol["kind"]["identifier"] in ("swift.enum", "swift.enum.case"):
            indent = "  " * (len(symbol["pathComponents"]) - 1)
            lines.append((symbol["pathComponents"][0], indent != "", indent + text(symbol)))
    lines.sort(key=lambda line: line[:2])
    return "\n".join(line[2] for line in lines) + "\n"


def text(symbol):
    whole = "".join(part["spelling"] for part in symbol["declarationFragments"])
    return " ".join(whole.split())


def compare(path, new):
    old = path.read_text() if path.exists() else ""
    if old == new:
        return
    if WRITES:
        path.parent.mkdir(exist_ok=True)
        path.write_text(new)
        print(f"interface: wrote {path}")
        return
    diff = difflib.unified_diff(
        old.splitlines(), new.splitlines(), f"{path} (checked in)", f"{path} (as built)",
        lineterm="", n=2)
    problems.append(
        f"{path} does not say what the module is now. If the change is meant, run `make api` "
        "and commit the file:\n" + "\n".join(diff))


def load(name):
    symbols = []
    for file in sorted((WORK / "graph").glob(f"{name}*.symbols.json")):
        if file.name.split(".")[0].split("@")[0] == name:
            symbols += json.loads(file.read_text())["symbols"]
    return symbols


# Apple's symbols and the module's.

def built_symbols():
    """Declarations by dotted path; nested types also under the names of their aliases."""
    found = collections.defaultdict(list)
    aliases = {}
    for module in ("StoreKit", "CStoreKitEnums"):
        for symbol in graph[module]:
            path = ".".join(symbol["pathComponents"])
            found[path].append(symbol)
            alias = re.fullmatch(r"typealias \S+ = (SK\w+)", text(symbol))
            if alias:
                aliases[alias[1]] = path
    # What Swift writes in another way than the symbol graph.
    aliases["NSNotification.Name"] = "Notification.Name"
    aliases["SKRequestDelegating.delegate"] = "SKRequest.delegate"
    for name, alias in aliases.items():
        for path in [path for path in found if path == name or path.startswith(name + ".")]:
            found[alias + path[len(name):]] += found[path]
    return found


def comparable(declaration):
    """A declaration without what does not matter to who uses it."""
    declaration = re.sub(r"@(MainActor|NSCopying|discardableResult|objc) ", "", declaration)
    declaration = re.sub(r"^((override|convenience|nonisolated|weak|open|public|final) )+", "",
                         declaration)
    declaration = re.sub(r"\bweak ", "", declaration)
    declaration = re.sub(r"^let (.*?)( \{ get \})?$", r"var \1 { get }", declaration)
    declaration = re.sub(r"^(class|static) (func|var)", r"\2", declaration)
    return declaration.replace(" { get set }", "").replace("`", "").strip()


def is_mentioned(symbol, tests):
    """Whether the tests name a symbol, its type and its labels."""
    path, _, labels = symbol.partition("(")
    names = [name for name in path.split(".") if name not in ("init", "subscript")]
    labels = [label + ":" for label in labels.rstrip(")").split(":") 
              if label not in ("", "_", "completionHandler", "completionBlock")]
    # Inside of types, apps seldom write the path.
    wanted = [names[-1]] + labels + ([names[0]] if names[0].startswith("SK") else [])
    return all(
        re.search(r"(?<!\w)" + re.escape(name) + ("" if name.endswith(":") else r"(?!\w)"), tests)
        for name in wanted)


def table():
    found = built_symbols()
    tests = "\n".join(file.read_text() for file in sorted(TESTS.rglob("*.swift")))
    claimed = set()
    rows = collections.defaultdict(list)
    for number, line in enumerate(SYMBOLS.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        place = f"{SYMBOLS}:{number}"
        if len(fields) not in (4, 5) or fields[0] not in SECTIONS or fields[2] not in STATUSES:
            problems.append(f"{place}: not section, symbol, status, declaration and reason")
            continue
        section, symbol, status, declaration = fields[:4]
        reason = fields[4] if len(fields) == 5 else ""
        there = found.get(symbol, [])
        texts = {comparable(text(candidate)) for candidate in there}
        exact = comparable(declaration) in texts
        if (symbol, declaration) in claimed:
            problems.append(f"{place}: {symbol} is listed twice")
        claimed.add((symbol, declaration))
        if status == "absent":
            if exact:
                problems.append(f"{place}: {symbol} is said to be absent, and is there")
        elif not there:
            problems.append(f"{place}: {symbol} is said to be there, and is not")
        elif not exact:
            problems.append(
                f"{place}: {symbol} is declared in another way:\n"
                f"  expected {comparable(declaration)}\n  found    "
                + "\n           ".join(sorted(texts)))
        elif status == "works" and not is_mentioned(symbol, tests):
            problems.append(f"{place}: {symbol} is said to work, and {TESTS} never names it")
        if status != "works" and not reason:
            problems.append(f"{place}: {symbol} needs a reason for “{STATUSES[status]}”")
        rows[section].append((declaration, symbol, status, reason))
    listed = {symbol for symbol, _ in claimed}
    for path in sorted(found):
        name = path.split(".")[-1]
        ours = re.search(r"(^|\.)(openStore|OpenStore)", path) or path in OURS
        # Of StoreKit 2, what stands in a type that is listed.
        isApples = path.startswith(("SK", "Notification.Name.SK")) or \
            path.split("(")[0].rpartition(".")[0] in listed
        if isApples and not ours and path not in listed:
            if not is_plumbing(path, name):
                problems.append(f"{path} is public and not in {SYMBOLS}")
    return render(rows)


# Bridging, and what Swift needs for what Objective-C has: not symbols of Apple's list.
OURS = {
    "SKRequestDelegating", "SKRequestDelegating.delegate",
    "SKRequestDelegate.request", "SKRequestDelegate.requestDidFinish",
    "SKPaymentTransactionObserver.paymentQueue",
    "SKPaymentTransactionObserver.paymentQueueRestoreCompletedTransactionsFinished",
    "SKPaymentTransactionObserver.paymentQueueDidChangeStorefront",
    "SKPaymentQueueDelegate.paymentQueue",
    "SKPaymentQueueDelegate.paymentQueueShouldShowPriceConsent",
    "SKStoreProductViewControllerDelegate.productViewControllerDidFinish",
}


def is_plumbing(path, name):
    if re.match(r"_|==|!=|~=|<|hash\(into:\)|hashValue|copy\(|mutableCopy\(|isEqual|hash$", name):
        return True
    # What `for await` calls.
    if name in ("Element", "AsyncIterator", "makeAsyncIterator()"):
        return True
    # C names of enums that Swift knows by an alias.
    if re.match(r"SK(ErrorCode|ProductPeriodUnit|ProductDiscountPaymentMode|ProductDiscountType)\b",
                path):
        return True
    return name in ("init(rawValue:)", "rawValue", "RawValue", "init(from:)") or (
        name == "init()" and path != "SKReceiptRefreshRequest.init()")


def render(rows):
    lines = [
        "# Apple's symbols", "",
        "What of Apple's StoreKit is here: of the original interface first, then of StoreKit 2.",
        "`make api` writes this page from `api/apple-symbols.tsv` and the built module; `make lint`",
        "refuses it where they differ.",
        "A symbol that works is called in `Tests/StoreKitSourceTests`.", "",
    ]
    counts = collections.Counter(row[2] for section in rows.values() for row in section)
    lines += ["| status | symbols |", "|---|---|"]
    lines += [f"| {STATUSES[status]} | {counts[status]} |" for status in STATUSES]
    for section, title in SECTIONS.items():
        if section not in rows:
            continue
        lines += ["", f"## {title}", "", "| symbol | status | |", "|---|---|---|"]
        for declaration, symbol, status, reason in rows[section]:
            owner = symbol.split("(")[0].rpartition(".")[0]
            shown = declaration.replace("|", "\\|")
            if "." in symbol and re.search(r"\benum ", shown):
                # Apple's name, not that of the C enum behind it.
                owner, shown = "", "enum " + symbol
            where = f"{owner}: " if owner and owner != title else ""
            lines.append(f"| {where}`` {shown} `` | {STATUSES[status]} | {reason} |")
    return "\n".join(lines) + "\n"


graph = {name: load(name) for name in ("StoreKit", "CStoreKitEnums")}
if "--dump" in sys.argv:
    for path, symbols in built_symbols().items():
        for symbol in symbols:
            print(path, text(symbol), sep="\t")
    sys.exit(0)
for module in ("StoreKit", "StoreKitTest", "StoreFoundationAdditions"):
    compare(pathlib.Path(f"api/{module}.swiftinterface"), interface(module))
compare(pathlib.Path("api/CStoreKitEnums.swiftinterface"), enums())
page = table()
compare(TABLE, page)
for problem in problems:
    print(f"interface: {problem}", file=sys.stderr)
if problems:
    sys.exit(1)
print("interface: api/ and the symbol table say what the module is")
