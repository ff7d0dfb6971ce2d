"""Apple's library as backends use it: nothing of it is changed, the proxy leads it to the store."""

import os

from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from store import BUNDLE

ENVIRONMENTS = {"sandbox": Environment.SANDBOX, "production": Environment.PRODUCTION}


def api(store, environment="sandbox", key=None, bundle=BUNDLE):
    key = key or store.publisher
    client = AppStoreServerAPIClient(
        key.pem, key.id, key.issuer, bundle, ENVIRONMENTS[environment])
    if "HTTPS_PROXY" not in os.environ:
        # Without `openstore intercept run`, to look into one test.
        client._base_url = store.url(environment)
    return client


def verifier(store, environment="sandbox", online=False):
    return SignedDataVerifier(
        [store.root()], online, ENVIRONMENTS[environment], BUNDLE, store.app_id())


def refusal(call, *arguments, **options):
    """The code and the name of the error that a call ends with."""
    try:
        answer = call(*arguments, **options)
    except APIException as error:
        return error.raw_api_error
    raise AssertionError(f"nothing was refused: {answer}")
