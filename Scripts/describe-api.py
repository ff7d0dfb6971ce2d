#!/usr/bin/env python3
"""describe-api.py FILE: makes api/app-store-connect.json, the description of what the store serves
of App Store Connect's API, from Apple's OpenAPI file.

Names, types, enumerations and limits stay as they are there, for the paths below; sentences go,
and errors come in that the store answers beside Apple's, and its values for Linux.
One path and one schema stand on each line, so that changes can be read.
"""
import json
import pathlib
import re
import sys

VERSIONS = ["/v1", "/v2"]
# Paths whose resource is served with all that belongs to it.
WHOLE = [
    "bundleIdCapabilities",
    "bundleIds",
    "inAppPurchaseAppStoreReviewScreenshots",
    "inAppPurchaseAvailabilities",
    "inAppPurchaseContents",
    "inAppPurchaseImages",
    "inAppPurchaseLocalizations",
    "inAppPurchaseOfferCodeCustomCodes",
    "inAppPurchaseOfferCodeOneTimeUseCodes",
    "inAppPurchaseOfferCodes",
    "inAppPurchasePricePoints",
    "inAppPurchasePriceSchedules",
    "inAppPurchaseSubmissions",
    "inAppPurchaseVersions",
    "inAppPurchases",
    "profiles",
    "promotedPurchases",
    "sandboxTesters",
    "sandboxTestersClearPurchaseHistoryRequest",
    "subscriptionAppStoreReviewScreenshots",
    "subscriptionAvailabilities",
    "subscriptionGracePeriods",
    "subscriptionGroupLocalizations",
    "subscriptionGroups",
    "subscriptionIntroductoryOffers",
    "subscriptionLocalizations",
    "subscriptionOfferCodeCustomCodes",
    "subscriptionOfferCodeOneTimeUseCodes",
    "subscriptionOfferCodes",
    "subscriptionPricePoints",
    "subscriptionPrices",
    "subscriptionPromotionalOffers",
    "subscriptions",
    "territories",
]
# What an app leads to.
OF_APPS = [
    "inAppPurchases",
    "inAppPurchasesV2",
    "promotedPurchases",
    "subscriptionGracePeriod",
    "subscriptionGroups",
]
# What the resources lead to that the store does not have.
LACKING = re.compile(
    r"^/v2/subscription"
    r"|^/v1/subscriptionGroups/.*/?versions$"
    r"|^/v1/subscriptions/.*(images|planAvailabilities|versions|winBackOffers)$"
    r"|/adjustedEqualizations$"
)
SENTENCES = {"description", "summary", "title", "externalDocs", "contact", "example", "examples"}


def is_served(path):
    if LACKING.search(path):
        return False
    version, first, *rest = path.strip("/").split("/")
    if f"/{version}" not in VERSIONS:
        return False
    if first == "apps":
        last = rest[-1] if rest else None
        return last in [None, "{id}"] or last in OF_APPS
    return first in WHOLE


def bare(value, names=False):
    """The value without sentences; what stands under `properties` is names, and stays."""
    if isinstance(value, list):
        return [bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: bare(item, names=key in ["properties", "mapping"] and not names)
        for key, item in value.items()
        # One schema of Apple's has a format that is null.
        if names or (key not in SENTENCES and not (key == "format" and item is None))
    }


def answer(responses, status):
    """Adds an error that Apple's file does not list, in the form of those that it does."""
    responses.setdefault(status, responses["401"])


def complete(method, operation):
    """Adds what the store answers beside: 409 to deletions that its rules forbid, and to bodies
    that are too large or no JSON."""
    if method == "delete":
        answer(operation["responses"], "409")
    if "requestBody" in operation:
        answer(operation["responses"], "413")
        answer(operation["responses"], "415")


#: What is added to an enumeration that has a value of Apple's.
LINUX = {
    "UNIVERSAL": ["LINUX"],
    "IOS_APP_DEVELOPMENT": ["LINUX_APP_DEVELOPMENT", "LINUX_APP_STORE"],
}


def add_linux(value):
    if isinstance(value, list):
        for item in value:
            add_linux(item)
    elif isinstance(value, dict):
        for item in value.values():
            add_linux(item)
        for mark, added in LINUX.items():
            if mark in value.get("enum", []):
                value["enum"] = value["enum"] + added


def references(value):
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "$ref":
                yield item.rsplit("/", 1)[1]
            else:
                yield from references(item)


def line(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def lines(members):
    return ",\n".join(f"{json.dumps(name)}:{line(members[name])}" for name in sorted(members))


def main():
    source = json.loads(pathlib.Path(sys.argv[1]).read_text())
    paths = {path: bare(item) for path, item in source["paths"].items() if is_served(path)}
    for item in paths.values():
        for method, operation in item.items():
            if method == "parameters":
                continue
            complete(method, operation)
            for response in operation["responses"].values():
                # OpenAPI wants a sentence; an empty one is one.
                response["description"] = ""
    schemas = {}
    waiting = sorted(set(references(paths)))
    while waiting:
        name = waiting.pop()
        if name not in schemas:
            schemas[name] = bare(source["components"]["schemas"][name])
            waiting.extend(references(schemas[name]))
    add_linux([paths, schemas])
    target = pathlib.Path(__file__).parent.parent / "api" / "app-store-connect.json"
    info = {"title": "App Store Connect", "version": source["info"]["version"]}
    target.write_text(
        f'{{"openapi":{line(source["openapi"])},\n"info":{line(info)},\n'
        '"servers":[{"url":"/connect"}],\n'
        f'"security":{line(source["security"])},\n'
        f'"paths":{{\n{lines(paths)}\n}},\n"components":{{\n'
        f'"securitySchemes":{line(bare(source["components"]["securitySchemes"]))},\n'
        f'"schemas":{{\n{lines(schemas)}\n}}}}}}\n'
    )
    print(f"{target.name}: {len(paths)} paths, {len(schemas)} schemas")


main()
