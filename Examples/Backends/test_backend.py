"""Tests of the backend: a first purchase, renewals, refunds, and what else happens to a customer."""

import pytest
from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest

from openstore_testing import TestRefusal

MONTHLY = "com.example.shop.monthly"
BADGE = "com.example.shop.badge"


def test_a_purchase_that_the_app_sends_opens_the_product(store, backend):
    bought = store.buy(BADGE)
    backend.take_transaction(bought["signedTransaction"])
    assert backend.may_use(BADGE, store.now())


def test_a_first_purchase_arrives_as_a_notification(store, backend):
    store.buy(MONTHLY)
    assert backend.may_use(MONTHLY, store.now())


def test_a_year_of_renewals(store, backend, api):
    first = store.buy(MONTHLY)
    for month in range(12):
        store.advance(days=31)
        assert backend.may_use(MONTHLY, store.now()), f"month {month}"
    history = api.get_transaction_history(
        first["transactionId"], None, TransactionHistoryRequest(),
        GetTransactionHistoryVersion.V2)
    assert len(history.signedTransactions) == 13


def test_a_subscription_that_was_cancelled_ends(store, backend):
    bought = store.buy(MONTHLY)
    store.act("disable-auto-renew", bought)
    assert backend.may_use(MONTHLY, store.now())
    store.advance(days=31)
    assert not backend.may_use(MONTHLY, store.now())


def test_a_refund_takes_the_product_away(store, backend):
    bought = store.buy(MONTHLY)
    answer = store.act("refund", bought)
    assert answer["undeliveredNotifications"] == []
    assert not backend.may_use(MONTHLY, store.now())


def test_a_payment_that_fails_takes_it_away_until_it_is_settled(store, backend):
    store.change(billingRetryOnRenewal=True)
    bought = store.buy(MONTHLY)
    store.advance(days=32)
    assert not backend.may_use(MONTHLY, store.now())
    store.change(billingRetryOnRenewal=False)
    store.act("resolve", bought)
    assert backend.may_use(MONTHLY, store.now())


def test_the_same_notification_counts_once(store, backend):
    store.buy(MONTHLY)
    handled = len(backend.handled)
    assert handled > 0
    store.transactions()
    assert len(backend.handled) == handled


def test_what_can_not_be_done_is_refused_with_a_sentence(store, backend):
    with pytest.raises(TestRefusal) as refusal:
        store.renew(BADGE)
    assert refusal.value.error == "invalidProductType"
    with pytest.raises(TestRefusal) as refusal:
        store.buy("com.example.shop.nothing")
    assert refusal.value.error == "invalidProductIdentifier"

