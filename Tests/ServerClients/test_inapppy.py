"""inapppy, a library for /verifyReceipt, validates receipts of the store as they come."""

import base64
import os

import pytest
from inapppy import AppStoreValidator, InAppPyValidationError

from store import BADGE, COINS, MONTHLY, SEASON, YEARLY, Store

pytestmark = pytest.mark.skipif(
    "HTTPS_PROXY" not in os.environ, reason="inapppy knows Apple's hosts only: use run.py")


@pytest.fixture(scope="module")
def store():
    with Store() as store:
        yield store


@pytest.fixture(scope="module")
def secret(store):
    return store.shared_secret()


@pytest.fixture(scope="module", params=["sandbox", "production"])
def shopper(request, store):
    device = store.device(request.param)
    device.bought = {product: device.buy(product) for product in (COINS, BADGE, SEASON, MONTHLY)}
    return device


def validator(shopper, **options):
    return AppStoreValidator(sandbox=shopper.environment == "sandbox", **options)


def test_receipts(store, shopper, secret):
    answer = validator(shopper).validate(shopper.receipt(), secret)
    assert answer["status"] == 0
    assert answer["environment"] == shopper.environment.capitalize()
    receipt = answer["receipt"]
    assert receipt["bundle_id"] == "com.example.shop"
    assert {one["product_id"] for one in receipt["in_app"]} == {COINS, BADGE, SEASON, MONTHLY}
    for one in receipt["in_app"]:
        assert one["transaction_id"] == shopper.bought[one["product_id"]]["transactionId"]
        assert one["quantity"] == "1"
        assert one["purchase_date_ms"].endswith("000") and one["purchase_date"].endswith("Etc/GMT")
        assert one["purchase_date_pst"].endswith("America/Los_Angeles")
    latest = answer["latest_receipt_info"]
    assert {one["product_id"] for one in latest} == {COINS, BADGE, SEASON, MONTHLY}
    renewal = answer["pending_renewal_info"][0]
    assert renewal["auto_renew_status"] == "1" and renewal["auto_renew_product_id"] == MONTHLY
    base64.b64decode(answer["latest_receipt"], validate=True)


def test_fallback(store, shopper, secret):
    """A receipt that was sent to the wrong environment is sent to the other one."""
    wrong = AppStoreValidator(
        sandbox=shopper.environment != "sandbox", auto_retry_wrong_env_request=True)
    answer = wrong.validate(shopper.receipt(), secret)
    assert answer["status"] == 0
    assert answer["environment"] == shopper.environment.capitalize()
    strict = AppStoreValidator(sandbox=shopper.environment != "sandbox")
    with pytest.raises(InAppPyValidationError) as error:
        strict.validate(shopper.receipt(), secret)
    assert error.value.raw_response["status"] == (
        21007 if shopper.environment == "sandbox" else 21008)


def test_only_the_latest(store, secret):
    device = store.device()
    device.buy(MONTHLY)
    device.buy(YEARLY)
    every = validator(device).validate(device.receipt(), secret)
    assert {one["product_id"] for one in every["latest_receipt_info"]} == {MONTHLY, YEARLY}
    latest = validator(device).validate(
        device.receipt(), secret, exclude_old_transactions=True)
    assert [one["product_id"] for one in latest["latest_receipt_info"]] == [YEARLY]


def test_without_subscriptions_no_secret_is_needed(store):
    device = store.device()
    device.buy(BADGE)
    answer = validator(device).validate(device.receipt())
    assert answer["status"] == 0 and "latest_receipt_info" not in answer


def refused(device, receipt, secret=None):
    with pytest.raises(InAppPyValidationError) as error:
        validator(device).validate(receipt, secret)
    return error.value.raw_response["status"]


def test_what_is_refused(store, shopper, secret):
    receipt = shopper.receipt()
    assert refused(shopper, receipt, "0" * 32) == 21004
    assert refused(shopper, receipt) == 21004
    assert refused(shopper, "no receipt", secret) == 21002
    assert refused(shopper, base64.b64encode(b"x" * 500).decode(), secret) == 21002
    changed = bytearray(base64.b64decode(receipt))
    changed[-20] ^= 1
    assert refused(shopper, base64.b64encode(changed).decode(), secret) == 21003
