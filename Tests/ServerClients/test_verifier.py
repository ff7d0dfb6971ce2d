"""Apple's own verifier (app-store-server-library) accepts what the store signs, and nothing else."""

import base64
import datetime
import json

import chains
import jwt
import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier, VerificationException, VerificationStatus)
from cryptography.hazmat.primitives.asymmetric import ec

from clients import api, verifier
from store import BADGE, BUNDLE, COINS, MONTHLY, SEASON, Refused, Store

ENVIRONMENTS = {"sandbox": Environment.SANDBOX, "production": Environment.PRODUCTION}


@pytest.fixture(scope="module")
def store():
    with Store() as store:
        yield store


@pytest.fixture(scope="module", params=["sandbox", "production"])
def shopper(request, store):
    """A device on which one of each product was bought."""
    device = store.device(request.param)
    device.bought = {product: device.buy(product) for product in (COINS, BADGE, SEASON, MONTHLY)}
    return device


@pytest.fixture(params=["offline", "online"])
def verifying(request, store, shopper):
    return verifier(store, shopper.environment, online=request.param == "online")


class TestAccepted:
    def test_transactions_of_devices(self, shopper, verifying):
        for product, bought in shopper.bought.items():
            payload = verifying.verify_and_decode_signed_transaction(bought["signed"])
            assert payload.productId == product
            assert payload.environment == ENVIRONMENTS[shopper.environment]
            assert payload.bundleId == BUNDLE
            assert payload.price == {COINS: 990, BADGE: 1990, SEASON: 4990, MONTHLY: 4990}[product]
            assert payload.currency == "USD"
            assert payload.storefront == "USA" and payload.storefrontId == "143441"
            assert payload.transactionId == payload.originalTransactionId
            assert payload.appTransactionId
            assert (payload.expiresDate is not None) == (product == MONTHLY)
            assert (payload.subscriptionGroupIdentifier is not None) == (product == MONTHLY)
            assert (payload.webOrderLineItemId is not None) == (product == MONTHLY)

    def test_what_servers_are_given(self, store, shopper, verifying):
        client = api(store, shopper.environment)
        identifier = shopper.bought[MONTHLY]["transactionId"]
        info = client.get_transaction_info(identifier).signedTransactionInfo
        assert verifying.verify_and_decode_signed_transaction(info).transactionId == identifier
        statuses = client.get_all_subscription_statuses(identifier)
        last = statuses.data[0].lastTransactions[0]
        renewal = verifying.verify_and_decode_renewal_info(last.signedRenewalInfo)
        assert renewal.originalTransactionId == identifier
        assert renewal.autoRenewProductId == MONTHLY and renewal.autoRenewStatus == 1
        assert renewal.renewalPrice == 4990 and renewal.currency == "USD"
        assert renewal.environment == ENVIRONMENTS[shopper.environment]
        signed = client.get_app_transaction_info(identifier).signedAppTransactionInfo
        app = verifying.verify_and_decode_app_transaction(signed)
        assert app.bundleId == BUNDLE and app.receiptType == ENVIRONMENTS[shopper.environment]
        assert app.appTransactionId == renewal.appTransactionId

    def test_receipts_are_read(self, shopper):
        first = ReceiptUtility().extract_transaction_id_from_app_receipt(shopper.receipt())
        assert first in [one["transactionId"] for one in shopper.bought.values()]

    def test_receipts_are_read_in_either_order_of_certificates(self, shopper):
        """The leaf first, as in Apple's receipts, or as DER sorts a set."""
        receipt = base64.b64decode(shopper.receipt())
        x5c = jwt.get_unverified_header(shopper.bought[COINS]["signed"])["x5c"]
        middle, root = [base64.b64decode(one) for one in x5c[1:]]
        end = receipt.rindex(middle)
        assert receipt[end + len(middle):].startswith(root)
        start = next(
            at for at in range(end) if receipt[at:at + 2] == b"\x30\x82"
            and at + 4 + int.from_bytes(receipt[at + 2:at + 4], "big") == end)
        together = sorted([receipt[start:end], middle, root])
        other = receipt.replace(receipt[start:end] + middle + root, b"".join(together))
        assert other != receipt
        assert len({ReceiptUtility().extract_transaction_id_from_app_receipt(
            base64.b64encode(one).decode()) for one in (receipt, other)}) == 1


class TestRefused:
    def test_another_environment(self, store, shopper):
        other = "production" if shopper.environment == "sandbox" else "sandbox"
        with pytest.raises(VerificationException) as error:
            verifier(store, other).verify_and_decode_signed_transaction(
                shopper.bought[COINS]["signed"])
        assert error.value.status == VerificationStatus.INVALID_ENVIRONMENT

    def test_another_app(self, store, shopper):
        strict = SignedDataVerifier(
            [store.root()], False, ENVIRONMENTS[shopper.environment], "com.example.other", 1)
        with pytest.raises(VerificationException) as error:
            strict.verify_and_decode_signed_transaction(shopper.bought[COINS]["signed"])
        assert error.value.status == VerificationStatus.INVALID_APP_IDENTIFIER

    def test_another_store(self, shopper):
        root = chains.chain()[0]
        stranger = SignedDataVerifier(
            [chains.der(root)], False, ENVIRONMENTS[shopper.environment], BUNDLE, 1)
        with pytest.raises(VerificationException) as error:
            stranger.verify_and_decode_signed_transaction(shopper.bought[COINS]["signed"])
        assert error.value.status == VerificationStatus.VERIFICATION_FAILURE

    def test_changed(self, store, shopper):
        head, body, signature = shopper.bought[COINS]["signed"].split(".")
        other = shopper.bought[BADGE]["signed"].split(".")
        for text in [f"{head}.{other[1]}.{signature}", f"{head}.{body}.{other[2]}"]:
            with pytest.raises(VerificationException):
                verifier(store, shopper.environment).verify_and_decode_signed_transaction(text)


ACCEPTED = {
    "whole": {},
    "no authority key identifier on the root": {"root": ("AKI",)},
    "no subject key identifier on the leaf": {"leaf": ("SKI",)},
    "no key usage on the leaf": {"leaf": ("KU",)},
    "an empty marker": {"leaf_options": {"marker_value": b""}},
    "constraints that are not critical": {"leaf_options": {"constraints_critical": False}},
}

BROKEN = {
    "no marker on the leaf": {"leaf": ("OID",)},
    "no marker on the intermediate": {"intermediate": ("OID",)},
    "a critical marker": {"leaf_options": {"critical_marker": True}},
    "no authority key identifier on the leaf": {"leaf": ("AKI",)},
    "no authority key identifier on the intermediate": {"intermediate": ("AKI",)},
    "no subject key identifier on the root": {"root": ("SKI",)},
    "no subject key identifier on the intermediate": {"intermediate": ("SKI",)},
    "no key usage on the intermediate": {"intermediate": ("KU",)},
    "an intermediate that is no authority": {
        "intermediate_options": {"ca": False, "path_length": None,
                                 "usage": ("digital_signature",)}},
    "a leaf that has expired": {
        "leaf_options": {
            "start": datetime.datetime(2020, 1, 1), "end": datetime.datetime(2021, 1, 1)}},
}


def checked(root, text):
    return SignedDataVerifier(
        [chains.der(root)], False, Environment.SANDBOX, BUNDLE
    ).verify_and_decode_signed_transaction(text)


class TestChains:
    """Section 1.7: what the store's chain must have, and what breaks it."""

    @pytest.mark.parametrize("case", ACCEPTED)
    def test_accepted(self, case):
        root, middle, leaf, key = chains.chain(**ACCEPTED[case])
        assert checked(root, chains.signed(key, [leaf, middle, root])).bundleId == BUNDLE

    @pytest.mark.parametrize("case", BROKEN)
    def test_refused(self, case):
        root, middle, leaf, key = chains.chain(**BROKEN[case])
        with pytest.raises(VerificationException) as error:
            checked(root, chains.signed(key, [leaf, middle, root]))
        assert error.value.status == VerificationStatus.VERIFICATION_FAILURE

    @pytest.mark.parametrize("count", [2, 4])
    def test_three_certificates(self, count):
        root, middle, leaf, key = chains.chain()
        with pytest.raises(VerificationException) as error:
            checked(root, chains.signed(key, [leaf, middle, root, root][:count]))
        assert error.value.status == VerificationStatus.INVALID_CHAIN_LENGTH

    def test_another_curve(self):
        root, middle, leaf, key = chains.chain(leaf_curve=ec.SECP384R1)
        with pytest.raises(VerificationException):
            checked(root, chains.signed(key, [leaf, middle, root], algorithm="ES384"))

    def test_no_algorithm(self):
        root, middle, leaf, _ = chains.chain()
        with pytest.raises(VerificationException):
            checked(root, chains.unsigned([leaf, middle, root]))

    def test_swapped(self):
        root, middle, leaf, key = chains.chain()
        with pytest.raises(VerificationException):
            checked(root, chains.signed(key, [middle, leaf, root]))
        other = chains.chain()
        with pytest.raises(VerificationException):
            checked(root, chains.signed(key, [leaf, other[1], root]))
        with pytest.raises(VerificationException):
            checked(root, chains.signed(other[3], [other[2], other[1], root]))

    def test_signed_before_the_certificate(self):
        root, middle, leaf, key = chains.chain()
        with pytest.raises(VerificationException):
            checked(root, chains.signed(key, [leaf, middle, root], {"signedDate": 1}))

    def test_the_store_has_what_the_chain_needs(self, store):
        """The store's own chain differs from the whole one above in nothing that is checked."""
        from cryptography import x509
        device = store.device()
        x5c = jwt.get_unverified_header(device.buy(COINS)["signed"])["x5c"]
        leaf, middle, root = [
            x509.load_der_x509_certificate(base64.b64decode(one)) for one in x5c]
        ours = [{e.oid.dotted_string for e in c.extensions} for c in (leaf, middle, root)]
        whole = [
            {e.oid.dotted_string for e in c.extensions} for c in reversed(chains.chain()[:3])]
        for one, other in zip(ours, whole):
            assert other <= one
        # Leaf and intermediate say where to ask for them.
        assert "1.3.6.1.5.5.7.1.1" in ours[0] and "1.3.6.1.5.5.7.1.1" in ours[1]


class TestRevoked:
    def test_online_checks_see_a_revoked_certificate(self):
        """In a store of its own: what was signed with a revoked key is refused from then on."""
        with Store() as store:
            signed = store.device().buy(COINS)["signed"]
            verifier(store, "sandbox", online=True).verify_and_decode_signed_transaction(signed)
            listed = json.loads(store.openstore("certificate", "list", "--json"))
            leaf = next(one for one in listed if one["use"] == "signing" and one["state"] == "current")
            store.openstore("certificate", "rotate")
            store.openstore("certificate", "revoke", leaf["serial"])
            with pytest.raises(VerificationException):
                verifier(store, "sandbox", online=True).verify_and_decode_signed_transaction(
                    signed)
            # Profiles are signed with the same key.
            with pytest.raises(Refused):
                store.device()
            store.forget_profiles()
            fresh = store.device().buy(COINS)["signed"]
            verifier(store, "sandbox", online=True).verify_and_decode_signed_transaction(fresh)
            verifier(store, "sandbox").verify_and_decode_signed_transaction(signed)
