"""Fixtures for pytest: a store that all tests of a run share, and is reset for each."""

import pathlib

import pytest
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment

from backend import Backend, serve
from openstore_testing import TestStore

CONFIGURATION = pathlib.Path(__file__).with_name("Shop.storekit")


@pytest.fixture(scope="session")
def shared():
    """The store, and a place for the backend of each test."""
    place = {}
    server = serve(lambda: place["backend"])
    address = f"http://127.0.0.1:{server.server_port}/notifications"
    with TestStore(CONFIGURATION, notifications=address) as store:
        yield store, place
    server.shutdown()
    server.server_close()


@pytest.fixture
def store(shared):
    store, _ = shared
    store.reset()
    return store


@pytest.fixture
def backend(store, shared):
    """A backend that knows of nothing yet. The store sends it notifications."""
    _, place = shared
    place["backend"] = Backend(store.bundle_id, store.root_certificate)
    return place["backend"]


@pytest.fixture
def api(store):
    """Apple's client of the App Store Server API. It asks the test's store."""
    key = store.description["apiKey"]
    client = AppStoreServerAPIClient(
        key["privateKey"].encode(), key["keyId"], key["issuerId"], store.bundle_id,
        Environment.SANDBOX)
    client._base_url = store.description["address"] + "/sandbox"
    return client
