"""Every method of Apple's library (app-store-server-library) succeeds, and ends with each error
that is documented for it and can be brought about here."""

import http.server
import json
import threading
import time
import uuid

import jwt
import pytest
from appstoreserverlibrary.api_client import APIException, GetTransactionHistoryVersion
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.LifetimeDollarsPurchased import LifetimeDollarsPurchased
from appstoreserverlibrary.models.LifetimeDollarsRefunded import LifetimeDollarsRefunded
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.Platform import Platform
from appstoreserverlibrary.models.PlayTime import PlayTime
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order, ProductType, TransactionHistoryRequest)
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.models.UserStatus import UserStatus

from clients import api, refusal, verifier
from store import BADGE, COINS, MONTHLY, SEASON, YEARLY, Refused, Store, send

V2 = GetTransactionHistoryVersion.V2
UNKNOWN = "1099999999999999"
NOT_A_NUMBER = "twelve"


class Listener:
    """A publisher's server, which keeps what it is told."""

    def __init__(self):
        self.bodies = []
        self.status = 200
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                listener.bodies.append(json.loads(body)["signedPayload"])
                self.send_response(listener.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/notify"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def heard(self, count, seconds=30):
        """Waits until so much has come."""
        for _ in range(seconds * 20):
            if len(self.bodies) >= count:
                return self.bodies
            time.sleep(0.05)
        raise AssertionError(f"{len(self.bodies)} of {count} notifications have come")


@pytest.fixture(scope="module")
def store():
    with Store(serve=["--allow-local-notifications"]) as store:
        yield store


@pytest.fixture(scope="module")
def client(store):
    return api(store)


@pytest.fixture(scope="module")
def shopper(store):
    device = store.device()
    device.bought = {product: device.buy(product) for product in (COINS, BADGE, SEASON, MONTHLY)}
    return device


@pytest.fixture(scope="module")
def bought(shopper):
    return {product: one["transactionId"] for product, one in shopper.bought.items()}


def decoded(signed):
    return [jwt.decode(one, options={"verify_signature": False}) for one in signed]


class TestAuthorization:
    PATH = "/inApps/v1/transactions/1000000000000001"

    def ask(self, store, token):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with pytest.raises(Refused) as refused:
            send("GET", store.url() + self.PATH, headers=headers)
        return refused.value

    def token(self, store, key=None, algorithm="ES256", kid=None, **claims):
        key = key or store.publisher
        whole = {"iss": key.issuer, "aud": "appstoreconnect-v1", "bid": "com.example.shop",
                 "exp": int(time.time()) + 300, **claims}
        return jwt.encode({k: v for k, v in whole.items() if v is not None}, key.pem, algorithm,
                          {"kid": kid or key.id})

    def test_what_is_wrong_with_a_token(self, store):
        now = int(time.time())
        stranger = store.key()
        for claims in [
            {"exp": now - 600}, {"exp": now + 7300}, {"aud": "appstoreconnect-v2"},
            {"iss": str(uuid.uuid4())}, {"bid": "com.example.other"}, {"bid": None},
            {"exp": None}, {"kid": "ABCDEFGHIJ"},
        ]:
            kid = claims.pop("kid", None)
            assert self.ask(store, self.token(store, kid=kid, **claims)).status == 401
        good = self.token(store)
        head, body, _ = good.split(".")
        other = self.token(store, stranger).split(".")
        for text in [None, "", "word", f"{head}.{body}.{other[2]}", f"{head}.{other[1]}.{other[2]}"]:
            assert self.ask(store, text).status == 401
        store.openstore("api-key", "revoke", stranger.id)
        assert self.ask(store, self.token(store, stranger)).status == 401

    def test_library_sees_no_error_code(self, store):
        with pytest.raises(APIException) as error:
            api(store, bundle="com.example.unknown").get_transaction_info("1")
        assert error.value.http_status_code == 401 and error.value.api_error is None

    def test_an_hour_and_no_date_of_issue(self, store, bought):
        for claims in [{}, {"exp": int(time.time()) + 3600, "iat": int(time.time())}]:
            answer = send(
                "GET", f"{store.url()}/inApps/v1/transactions/{bought[COINS]}",
                headers={"Authorization": f"Bearer {self.token(store, **claims)}"})
            assert "signedTransactionInfo" in answer


class TestTransactions:
    def test_info(self, store, client, bought, shopper):
        for product, identifier in bought.items():
            info = client.get_transaction_info(identifier).signedTransactionInfo
            payload = verifier(store).verify_and_decode_signed_transaction(info)
            assert payload.productId == product

    def test_info_errors(self, store, client, bought, shopper):
        application = shopper.bought[COINS]["appTransactionId"]
        assert refusal(client.get_transaction_info, NOT_A_NUMBER) == 4000006
        assert refusal(client.get_transaction_info, UNKNOWN) == 4040010
        assert refusal(client.get_transaction_info, application) == 4000048
        # Testers' purchases are none of the production store.
        assert refusal(api(store, "production").get_transaction_info, bought[COINS]) == 4040010

    def test_app_transaction(self, store, client, bought, shopper):
        application = shopper.bought[COINS]["appTransactionId"]
        for identifier in [bought[COINS], application]:
            signed = client.get_app_transaction_info(identifier).signedAppTransactionInfo
            payload = verifier(store).verify_and_decode_app_transaction(signed)
            assert payload.appTransactionId == application
        assert refusal(client.get_app_transaction_info, NOT_A_NUMBER) == 4000006
        assert refusal(client.get_app_transaction_info, UNKNOWN) == 4040010
        assert refusal(client.get_app_transaction_info, "799999999999999999") == 4040019

    def test_order(self, store, client, bought):
        order = order_of(store, bought[BADGE])
        answer = client.look_up_order_id(order)
        assert answer.status == OrderLookupStatus.VALID
        assert decoded(answer.signedTransactions)[0]["transactionId"] == bought[BADGE]
        for text in ["M0000000000", "nonsense"]:
            answer = client.look_up_order_id(text)
            assert answer.status == OrderLookupStatus.INVALID and not answer.signedTransactions

    def test_finish(self, store, client):
        device = store.device()
        one = device.buy(COINS)
        assert [t["transactionId"] for t in device.unfinished()] == [one["transactionId"]]
        client.finish_transaction(one["transactionId"])
        client.finish_transaction(one["transactionId"])
        assert device.unfinished() == []
        assert refusal(client.finish_transaction, NOT_A_NUMBER) == 4000006
        assert refusal(client.finish_transaction, UNKNOWN) == 4040010
        assert refusal(client.finish_transaction, one["appTransactionId"]) == 4000048

    def test_account_token(self, store, client):
        device = store.device()
        one = device.buy(MONTHLY)
        token = str(uuid.uuid4())
        request = UpdateAppAccountTokenRequest(appAccountToken=token)
        client.set_app_account_token(one["transactionId"], request)
        info = decoded([client.get_transaction_info(one["transactionId"]).signedTransactionInfo])
        assert info[0]["appAccountToken"] == token
        bad = UpdateAppAccountTokenRequest(appAccountToken="not-a-uuid")
        assert refusal(client.set_app_account_token, one["transactionId"], bad) == 4000183
        assert refusal(client.set_app_account_token, NOT_A_NUMBER, request) == 4000008
        assert refusal(client.set_app_account_token, UNKNOWN, request) in (4040005, 4040010)
        again = device.buy(MONTHLY)
        assert refusal(
            client.set_app_account_token, again["transactionId"], request) == 4000187
        family = shared(store)
        assert refusal(client.set_app_account_token, family, request) == 4000185


class TestHistory:
    def everything(self, client, identifier, version=V2, **filters):
        found, revision = [], None
        while True:
            page = client.get_transaction_history(
                identifier, revision, TransactionHistoryRequest(**filters), version)
            assert len(page.signedTransactions) <= 20
            found += decoded(page.signedTransactions)
            revision = page.revision
            if not page.hasMore:
                return found, revision

    @pytest.mark.parametrize("version", list(GetTransactionHistoryVersion))
    def test_filters(self, client, shopper, bought, version):
        def ids(**filters):
            return [
                one["transactionId"]
                for one in self.everything(client, bought[COINS], version, **filters)[0]]

        everything = [bought[product] for product in (COINS, BADGE, SEASON, MONTHLY)]
        assert ids() == everything
        assert ids(sort=Order.DESCENDING) == everything[::-1]
        assert ids(productIds=[BADGE, SEASON]) == [bought[BADGE], bought[SEASON]]
        assert ids(productTypes=[ProductType.CONSUMABLE]) == [bought[COINS]]
        assert ids(productTypes=[ProductType.AUTO_RENEWABLE, ProductType.NON_RENEWABLE]) == [
            bought[SEASON], bought[MONTHLY]]
        assert ids(subscriptionGroupIdentifiers=[group_of(shopper)]) == [bought[MONTHLY]]
        assert ids(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED) == []
        assert ids(inAppOwnershipType=InAppOwnershipType.PURCHASED) == everything
        assert ids(revoked=True) == [] and ids(revoked=False) == everything
        dates = [one["purchaseDate"] for one in shopper.bought.values()]
        assert ids(startDate=dates[1], endDate=dates[3]) == [
            bought[p] for p, d in zip((COINS, BADGE, SEASON, MONTHLY), dates)
            if dates[1] <= d < dates[3]]

    def test_pages_and_revisions(self, store, client):
        device = store.device()
        made = [device.buy(COINS)["transactionId"] for _ in range(45)]
        found, revision = self.everything(client, made[0])
        assert [one["transactionId"] for one in found] == made
        later = device.buy(BADGE)["transactionId"]
        page = client.get_transaction_history(
            made[0], revision, TransactionHistoryRequest(), V2)
        assert [one["transactionId"] for one in decoded(page.signedTransactions)] == [later]
        # What changed comes again.
        store.openstore("purchase", "revoke", made[3])
        page = client.get_transaction_history(
            made[0], page.revision, TransactionHistoryRequest(), V2)
        changed = decoded(page.signedTransactions)
        assert [one["transactionId"] for one in changed] == [made[3]]
        assert changed[0]["revocationReason"] == 0 and changed[0]["revocationDate"]

    def test_errors(self, store, client, bought):
        def error(identifier=bought[COINS], revision=None, **filters):
            return refusal(
                client.get_transaction_history, identifier, revision,
                TransactionHistoryRequest(**filters), V2)

        assert error(NOT_A_NUMBER) == 4000006
        assert error(UNKNOWN) == 4040010
        assert error(revision="nonsense") == 4000005
        stranger = store.device().buy(COINS)["transactionId"]
        other = client.get_transaction_history(stranger, None, TransactionHistoryRequest(), V2)
        assert error(revision=other.revision) == 4000005
        assert error(startDate=2, endDate=1) == 4000013
        assert error(startDate=2, endDate=2) == 4000013

        def query(text):
            with pytest.raises(APIException) as error:
                client._make_request(
                    f"/inApps/v2/history/{bought[COINS]}", "GET", dict(text), None, None)
            return error.value.raw_api_error

        for parameter, code in {
            "startDate": 4000015, "endDate": 4000016, "sort": 4000021, "productType": 4000022,
            "subscriptionGroupIdentifier": 4000024, "inAppOwnershipType": 4000026,
            "revoked": 4000030,
        }.items():
            value = "" if parameter == "subscriptionGroupIdentifier" else "nonsense"
            assert query({parameter: value}) == code, parameter
        assert query({"productId": ""}) == 4000023


class TestSubscriptions:
    def test_statuses(self, store, client, bought):
        answer = client.get_all_subscription_statuses(bought[COINS])
        assert answer.bundleId == "com.example.shop" and len(answer.data) == 1
        last = answer.data[0].lastTransactions
        assert [one.status for one in last] == [Status.ACTIVE]
        assert last[0].originalTransactionId == bought[MONTHLY]
        assert client.get_all_subscription_statuses(
            bought[COINS], [Status.EXPIRED, Status.REVOKED]).data == []
        assert len(client.get_all_subscription_statuses(bought[COINS], [Status.ACTIVE]).data) == 1

    def test_status_errors(self, client, bought):
        assert refusal(client.get_all_subscription_statuses, NOT_A_NUMBER) == 4000006
        assert refusal(client.get_all_subscription_statuses, UNKNOWN) == 4040010
        with pytest.raises(APIException) as error:
            client._make_request(
                f"/inApps/v1/subscriptions/{bought[COINS]}", "GET", {"status": ["9"]}, None, None)
        assert error.value.raw_api_error == 4000031

    def request(self, days=3, identifier=None, reason=ExtendReasonCode.CUSTOMER_SATISFACTION):
        return ExtendRenewalDateRequest(
            extendByDays=days, extendReasonCode=reason,
            requestIdentifier=identifier or str(uuid.uuid4()))

    def test_extension(self, store, client):
        device = store.device()
        one = device.buy(MONTHLY)
        identifier = one["transactionId"]
        request = self.request()
        answer = client.extend_subscription_renewal_date(identifier, request)
        assert answer.success and answer.originalTransactionId == identifier
        assert answer.effectiveDate == one["expiresDate"] + 3 * 86_400_000
        # The same request again changes nothing.
        again = client.extend_subscription_renewal_date(identifier, request)
        assert again.effectiveDate == answer.effectiveDate
        client.extend_subscription_renewal_date(identifier, self.request())
        assert refusal(
            client.extend_subscription_renewal_date, identifier, self.request()) == 4030005

    def test_extension_errors(self, store, client, bought):
        def error(identifier=bought[MONTHLY], **options):
            return refusal(
                client.extend_subscription_renewal_date, identifier, self.request(**options))

        assert error(days=0) == 4000009 and error(days=91) == 4000009
        assert error(identifier=bought[MONTHLY], reason=None) == 4000010
        assert error(NOT_A_NUMBER) == 4000008
        assert error(UNKNOWN) == 4040005
        with pytest.raises(APIException) as wrong:
            client.extend_subscription_renewal_date(
                bought[MONTHLY],
                ExtendRenewalDateRequest(
                    extendByDays=1, extendReasonCode=ExtendReasonCode.OTHER,
                    requestIdentifier="x" * 129))
        assert wrong.value.raw_api_error == 4000011
        device = store.device()
        first = device.buy(MONTHLY)["transactionId"]
        second = device.buy(YEARLY)["transactionId"]
        assert error(second) == 4000187
        store.openstore("purchase", "revoke", second)
        assert error(first) == 4030004
        assert error(shared(store, MONTHLY)) == 4030007

    def test_mass_extension(self, store, client):
        device = store.device()
        one = device.buy(YEARLY)
        identifier = str(uuid.uuid4())
        request = MassExtendRenewalDateRequest(
            extendByDays=2, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
            requestIdentifier=identifier, storefrontCountryCodes=["USA"], productId=YEARLY)
        answer = client.extend_renewal_date_for_all_active_subscribers(request)
        assert answer.requestIdentifier == identifier
        for _ in range(200):
            status = client.get_status_of_subscription_renewal_date_extensions(identifier, YEARLY)
            if status.complete:
                break
            time.sleep(0.1)
        assert status.complete and status.succeededCount >= 1 and status.completeDate
        info = decoded([client.get_transaction_info(one["transactionId"]).signedTransactionInfo])
        assert info[0]["expiresDate"] == one["expiresDate"] + 2 * 86_400_000

    def test_mass_extension_errors(self, client):
        def error(**changes):
            whole = {
                "extendByDays": 2, "extendReasonCode": ExtendReasonCode.OTHER,
                "requestIdentifier": str(uuid.uuid4()), "storefrontCountryCodes": ["USA"],
                "productId": YEARLY, **changes}
            return refusal(
                client.extend_renewal_date_for_all_active_subscribers,
                MassExtendRenewalDateRequest(**whole))

        assert error(extendByDays=0) == 4000009
        assert error(extendReasonCode=None) == 4000010
        assert error(requestIdentifier="") == 4000011
        assert error(storefrontCountryCodes=[]) == 4000027
        assert error(storefrontCountryCodes=["US"]) == 4000028
        assert error(productId="com.example.shop.nothing") == 4000023
        assert refusal(
            client.get_status_of_subscription_renewal_date_extensions, str(uuid.uuid4()),
            YEARLY) == 4040009


class TestRefunds:
    def test_history(self, store, client):
        device = store.device()
        made = [device.buy(COINS)["transactionId"] for _ in range(25)]
        assert client.get_refund_history(made[0], None).signedTransactions == []
        for one in made[:22]:
            store.openstore("purchase", "revoke", one)
        first = client.get_refund_history(made[0], None)
        assert len(first.signedTransactions) == 20 and first.hasMore
        rest = client.get_refund_history(made[0], first.revision)
        assert not rest.hasMore
        refunded = decoded(first.signedTransactions + rest.signedTransactions)
        assert [one["transactionId"] for one in refunded] == made[:22]
        assert all(one["revocationDate"] for one in refunded)
        assert refusal(client.get_refund_history, made[0], "nonsense") == 4000005
        assert refusal(client.get_refund_history, NOT_A_NUMBER, None) == 4000006
        assert refusal(client.get_refund_history, UNKNOWN, None) == 4040010

    def test_consumption_decides(self, store, client):
        device = store.device()
        one = device.buy(COINS)["transactionId"]
        asked = json.loads(store.openstore("refund", "request", one, "--json"))
        client.send_consumption_information(one, ConsumptionRequest(
            customerConsented=True, sampleContentProvided=False,
            deliveryStatus=DeliveryStatus.DELIVERED, consumptionPercentage=100_000,
            refundPreference=RefundPreference.DECLINE))
        assert state_of(store, asked["id"]) == "declined"
        two = device.buy(COINS)["transactionId"]
        asked = json.loads(store.openstore("refund", "request", two, "--json"))
        client.send_consumption_information(two, ConsumptionRequest(
            customerConsented=True, sampleContentProvided=False,
            deliveryStatus=DeliveryStatus.DELIVERED, consumptionPercentage=25_000,
            refundPreference=RefundPreference.GRANT_PRORATED))
        assert state_of(store, asked["id"]) == "refunded"
        info = decoded([client.get_transaction_info(two).signedTransactionInfo])[0]
        assert info["revocationType"] == "REFUND_PRORATED"
        assert info["revocationPercentage"] == 75_000

    def test_consumption_errors(self, client, bought):
        def error(identifier=bought[COINS], **changes):
            whole = {
                "customerConsented": True, "sampleContentProvided": False,
                "deliveryStatus": DeliveryStatus.DELIVERED, **changes}
            return refusal(
                client.send_consumption_information, identifier, ConsumptionRequest(**whole))

        assert error(customerConsented=False) == 4000035
        assert error(customerConsented=None) == 4000035
        assert error(deliveryStatus=None, rawDeliveryStatus="LOST") == 4000036
        assert error(sampleContentProvided=None) == 4000041
        assert error(consumptionPercentage=100_001) in (4000034, 4000000)
        assert error(NOT_A_NUMBER) == 4000006
        assert error(UNKNOWN) == 4040010

    def test_first_version(self, client, bought):
        whole = {
            "customerConsented": True, "consumptionStatus": ConsumptionStatus.NOT_CONSUMED,
            "platform": Platform.NON_APPLE, "sampleContentProvided": False,
            "deliveryStatus": DeliveryStatusV1.DELIVERED_AND_WORKING_PROPERLY,
            "appAccountToken": str(uuid.uuid4()), "accountTenure": AccountTenure.THIRTY_DAYS_TO_NINETY_DAYS,
            "playTime": PlayTime.ONE_DAY_TO_FOUR_DAYS,
            "lifetimeDollarsRefunded": LifetimeDollarsRefunded.ZERO_DOLLARS,
            "lifetimeDollarsPurchased": LifetimeDollarsPurchased.ZERO_DOLLARS,
            "userStatus": UserStatus.ACTIVE, "refundPreference": RefundPreferenceV1.NO_PREFERENCE}
        client.send_consumption_data(bought[COINS], ConsumptionRequestV1(**whole))
        raw = {
            "customerConsented": True, "consumptionStatus": 1, "platform": 2,
            "sampleContentProvided": False, "deliveryStatus": 0,
            "appAccountToken": str(uuid.uuid4()), "accountTenure": 3, "playTime": 4,
            "lifetimeDollarsRefunded": 1, "lifetimeDollarsPurchased": 1, "userStatus": 1,
            "refundPreference": 3}
        for field, value, code in [
            ("accountTenure", 8, 4000032), ("appAccountToken", "x", 4000033),
            ("consumptionStatus", 4, 4000034), ("customerConsented", False, 4000035),
            ("deliveryStatus", 6, 4000036), ("lifetimeDollarsPurchased", 8, 4000037),
            ("lifetimeDollarsRefunded", -1, 4000038), ("platform", 3, 4000039),
            ("playTime", 8, 4000040), ("sampleContentProvided", "no", 4000041),
            ("userStatus", 5, 4000042),
        ]:
            with pytest.raises(APIException) as error:
                client._make_request(
                    f"/inApps/v1/transactions/consumption/{bought[COINS]}", "PUT", {},
                    {**raw, field: value}, None)
            assert error.value.raw_api_error == code, field


class TestNotifications:
    def test_without_an_address(self, store):
        set_url(store, None)
        assert refusal(api(store).request_test_notification) == 4040007

    def test_a_test(self, store, client):
        listener = Listener()
        set_url(store, listener.url)
        token = client.request_test_notification().testNotificationToken
        payload = verifier(store, online=True).verify_and_decode_notification(
            listener.heard(1)[0])
        assert payload.notificationType == NotificationTypeV2.TEST
        assert payload.version == "2.0" and payload.data.bundleId == "com.example.shop"
        for _ in range(100):
            status = client.get_test_notification_status(token)
            if status.sendAttempts:
                break
            time.sleep(0.05)
        assert [one.sendAttemptResult for one in status.sendAttempts] == [SendAttemptResult.SUCCESS]
        assert verifier(store).verify_and_decode_notification(
            status.signedPayload).notificationUUID == payload.notificationUUID
        assert refusal(client.get_test_notification_status, "nonsense") == 4000020
        unknown = f"{uuid.uuid4()}_{int(time.time() * 1000)}"
        assert refusal(client.get_test_notification_status, unknown) == 4040008

    def test_a_life_of_purchases(self, store, client):
        """What a publisher's server hears, each checked by Apple's verifier."""
        listener = Listener()
        set_url(store, listener.url)
        device = store.device()
        coins = device.buy(COINS)
        monthly = device.buy(MONTHLY)
        store.openstore("subscription", "cancel", monthly["transactionId"], "--email", device.email)
        store.openstore("subscription", "resume", monthly["transactionId"], "--email", device.email)
        device.buy(YEARLY)
        device.buy(MONTHLY)
        asked = json.loads(store.openstore(
            "refund", "request", coins["transactionId"], "--reason", "LEGAL", "--json"))
        store.openstore("refund", "approve", str(asked["id"]))
        store.openstore("refund", "reverse", coins["transactionId"])
        client.extend_subscription_renewal_date(monthly["transactionId"], ExtendRenewalDateRequest(
            extendByDays=1, extendReasonCode=ExtendReasonCode.OTHER,
            requestIdentifier=str(uuid.uuid4())))
        expected = {
            ("ONE_TIME_CHARGE", None), ("SUBSCRIBED", "INITIAL_BUY"),
            ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"),
            ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED"),
            ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"), ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE"),
            ("CONSUMPTION_REQUEST", None), ("REFUND", None), ("REFUND_REVERSED", None),
            ("RENEWAL_EXTENDED", None)}
        check = verifier(store)
        heard = {}
        for text in listener.heard(len(expected)):
            payload = check.verify_and_decode_notification(text)
            subtype = payload.subtype.value if payload.subtype else None
            heard[(payload.notificationType.value, subtype)] = payload
            check.verify_and_decode_signed_transaction(payload.data.signedTransactionInfo)
            if payload.data.signedRenewalInfo:
                check.verify_and_decode_renewal_info(payload.data.signedRenewalInfo)
        assert set(heard) == expected
        request = heard[("CONSUMPTION_REQUEST", None)]
        assert request.data.consumptionRequestReason.value == "LEGAL"
        assert heard[("SUBSCRIBED", "INITIAL_BUY")].data.status == Status.ACTIVE

    def test_history(self, store, client):
        listener = Listener()
        set_url(store, listener.url)
        device = store.device()
        made = [device.buy(COINS)["transactionId"] for _ in range(25)]
        listener.heard(25)
        now = int(time.time() * 1000)
        whole = {"startDate": now - 86_400_000, "endDate": now + 1000}
        found, token = [], None
        for _ in range(10):
            page = client.get_notification_history(
                token, NotificationHistoryRequest(transactionId=made[0], **whole))
            found += page.notificationHistory
            token = page.paginationToken
            if not page.hasMore:
                break
        assert len(found) == 25
        assert all(
            one.sendAttempts[0].sendAttemptResult == SendAttemptResult.SUCCESS for one in found)
        types = client.get_notification_history(None, NotificationHistoryRequest(
            notificationType=NotificationTypeV2.SUBSCRIBED, notificationSubtype=Subtype.INITIAL_BUY,
            **whole))
        check = verifier(store)
        assert {
            check.verify_and_decode_notification(one.signedPayload).notificationType
            for one in types.notificationHistory} <= {NotificationTypeV2.SUBSCRIBED}
        listener.status = 500
        device.buy(BADGE)
        listener.heard(26)
        for _ in range(100):
            # What was asked until now has taken its time.
            until = int(time.time() * 1000)
            failed = client.get_notification_history(None, NotificationHistoryRequest(
                onlyFailures=True, startDate=whole["startDate"], endDate=until)).notificationHistory
            if failed:
                break
            time.sleep(0.05)
        assert failed[0].sendAttempts[0].sendAttemptResult == (
            SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE)

    def test_history_errors(self, client, bought):
        now = int(time.time() * 1000)
        day = 86_400_000

        def error(token=None, **changes):
            whole = {"startDate": now - day, "endDate": now, **changes}
            return refusal(
                client.get_notification_history, token, NotificationHistoryRequest(**whole))

        assert error(startDate=now - 200 * day) == 4000012
        assert error(startDate=now, endDate=now - 1) == 4000013
        assert error(startDate=now, endDate=now) == 4000013
        assert error(token="nonsense") == 4000014
        assert error(startDate=None) == 4000015
        assert error(endDate=None) == 4000016
        assert error(notificationSubtype=Subtype.INITIAL_BUY) == 4000018
        assert error(
            transactionId=bought[COINS], notificationType=NotificationTypeV2.REFUND) == 4000019
        assert error(transactionId=NOT_A_NUMBER) == 4000006


def order_of(store, transaction):
    asked = json.loads(store.openstore("refund", "request", transaction, "--json"))
    store.openstore("refund", "decline", str(asked["id"]))
    return asked["orderId"]


def group_of(shopper):
    return shopper.bought[MONTHLY]["subscriptionGroupIdentifier"]


def state_of(store, request):
    return next(
        one["state"] for one in json.loads(store.openstore("refund", "list", "--json"))
        if one["id"] == request)


def shared(store, product=BADGE):
    """A transaction that came to an account through its family."""
    giver, taker = store.device(), store.device()
    giver.buy(product)
    store.openstore("family", "add", "--email", taker.email, "--organizer", giver.email)
    return taker.restore()[0]["originalTransactionId"]


def set_url(store, url):
    store.connect("PATCH", f"/v1/apps/{store.app_id()}", {"data": {
        "type": "apps", "id": str(store.app_id()), "attributes": {
            "subscriptionStatusUrlForSandbox": url,
            "subscriptionStatusUrlVersionForSandbox": "V2" if url else None}}})
