"""Retention messaging by Apple's library: every method, and its errors."""

import http.server
import json
import struct
import threading
import time
import uuid
import zlib

import pytest
from appstoreserverlibrary.api_client import APIException
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.ImageSize import ImageSize
from appstoreserverlibrary.models.ImageState import ImageState
from appstoreserverlibrary.models.MessageState import MessageState
from appstoreserverlibrary.models.PerformanceTestRequest import PerformanceTestRequest
from appstoreserverlibrary.models.PerformanceTestStatus import PerformanceTestStatus
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.UploadMessageImage import UploadMessageImage
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody

from clients import api, refusal, verifier
from store import COINS, MONTHLY, Store


@pytest.fixture(scope="module")
def store():
    with Store(serve=["--allow-local-notifications"]) as store:
        yield store


@pytest.fixture(scope="module")
def client(store):
    return api(store)


def png(width, height):
    """A picture of one colour, without transparency."""
    def chunk(kind, data):
        whole = kind + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))
    rows = zlib.compress((b"\0" + b"\x30\x60\x90" * width) * height)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


FULL = png(3840, 160)
BULLET = png(128, 128)


def message(header="Stay with us", body="There is more to read.", image=None):
    return UploadMessageRequestBody(header=header, body=body, image=image)


def test_images(client):
    full, bullet = uuid.uuid4(), uuid.uuid4()
    client.upload_image(full, FULL)
    client.upload_image(bullet, BULLET, ImageSize.BULLET_POINT)
    listed = {one.imageIdentifier: one for one in client.get_image_list().imageIdentifiers}
    assert listed[full].imageState == ImageState.APPROVED
    assert listed[full].imageSize == ImageSize.FULL_SIZE
    assert listed[bullet].imageSize == ImageSize.BULLET_POINT
    assert refusal(client.upload_image, full, FULL) == 4090000
    assert refusal(client.upload_image, uuid.uuid4(), b"no picture") == 4000161
    assert refusal(client.upload_image, uuid.uuid4(), BULLET) == 4000161
    with pytest.raises(APIException) as error:
        client._make_request(
            f"/inApps/v1/messaging/image/{uuid.uuid4()}", "PUT", {"imageSize": "HUGE"}, FULL, None,
            "image/png")
    assert error.value.raw_api_error == 4000216
    client.delete_image(bullet)
    assert refusal(client.delete_image, bullet) == 4040014


def test_messages(client):
    image, identifier = uuid.uuid4(), uuid.uuid4()
    client.upload_image(image, FULL)
    picture = UploadMessageImage(imageIdentifier=image, altText="A shelf")
    client.upload_message(identifier, message(image=picture))
    listed = {one.messageIdentifier: one for one in client.get_message_list().messageIdentifiers}
    assert listed[identifier].messageState == MessageState.APPROVED
    assert refusal(client.upload_message, identifier, message()) == 4090001
    assert refusal(client.delete_image, image) == 4030019
    unknown = UploadMessageImage(imageIdentifier=uuid.uuid4(), altText="Nothing")
    assert refusal(client.upload_message, uuid.uuid4(), message(image=unknown)) == 4040014

    def raw(**changes):
        with pytest.raises(APIException) as error:
            client._make_request(
                f"/inApps/v1/messaging/message/{uuid.uuid4()}", "PUT", {},
                {"header": "Stay", "body": "There is more.", **changes}, None)
        return error.value.raw_api_error

    assert raw(header="x" * 67) == 4000162
    assert raw(body="x" * 145) == 4000163
    assert raw(image={"imageIdentifier": str(image), "altText": "x" * 151}) == 4000175
    assert raw(headerPosition="ABOVE_IMAGE") == 4000224
    point = {"text": "Much", "imageIdentifier": str(image), "altText": "A book"}
    assert raw(bulletPoints=[point] * 6) == 4000218
    assert raw(bulletPoints=[{**point, "text": "x" * 67}]) == 4000219
    client.delete_message(identifier)
    assert refusal(client.delete_message, identifier) == 4040015


def test_defaults(client):
    identifier = uuid.uuid4()
    client.upload_message(identifier, message())
    request = DefaultConfigurationRequest(messageIdentifier=identifier)
    client.configure_default_message(MONTHLY, "en-US", request)
    assert client.get_default_message(MONTHLY, "en-US").messageIdentifier == identifier
    assert refusal(client.configure_default_message, MONTHLY, "xx-nowhere", request) == 4000164
    assert refusal(client.configure_default_message, "com.example.nothing", "en-US", request) == (
        4000023)
    other = DefaultConfigurationRequest(messageIdentifier=uuid.uuid4())
    assert refusal(client.configure_default_message, MONTHLY, "en-US", other) == 4040015
    client.delete_default_message(MONTHLY, "en-US")
    assert refusal(client.get_default_message, MONTHLY, "en-US") == 4040020


class Answering:
    """A publisher's server that says what is to be shown."""

    def __init__(self, answer):
        heard = self.heard = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                heard.append(json.loads(
                    self.rfile.read(int(self.headers["Content-Length"])))["signedPayload"])
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}/realtime"
        threading.Thread(target=server.serve_forever, daemon=True).start()


def test_realtime(store, client):
    assert refusal(client.get_realtime_url) == 4040021
    with pytest.raises(APIException) as error:
        client.configure_realtime_url(RealtimeUrlRequest(realtimeURL="nonsense"))
    assert error.value.raw_api_error == 4000215
    identifier = uuid.uuid4()
    client.upload_message(identifier, message())
    server = Answering({"message": {"messageIdentifier": str(identifier)}})
    client.configure_realtime_url(RealtimeUrlRequest(realtimeURL=server.url))
    assert client.get_realtime_url().realtimeURL == server.url
    # Production wants a test that was passed before.
    with pytest.raises(APIException) as error:
        api(store, "production").configure_realtime_url(
            RealtimeUrlRequest(realtimeURL="https://example.com/realtime"))
    assert error.value.raw_api_error == 4030026
    bought = store.device().buy(MONTHLY)["transactionId"]
    request = PerformanceTestRequest(originalTransactionId=bought)
    started = client.initiate_performance_test(request)
    assert started.config.totalRequests > 0
    assert refusal(client.initiate_performance_test, request) == 4000213
    for _ in range(1200):
        result = client.get_performance_test_results(started.requestId)
        if result.result != PerformanceTestStatus.PENDING:
            break
        time.sleep(0.1)
    assert result.result == PerformanceTestStatus.PASS and result.successRate >= 95
    assert result.responseTimes.p50 <= result.responseTimes.p99
    asked = verifier(store).verify_and_decode_realtime_request(server.heard[0])
    assert asked.originalTransactionId == bought and asked.productId == MONTHLY
    assert refusal(client.get_performance_test_results, str(uuid.uuid4())) == 4040018
    assert refusal(client.get_performance_test_results, "nonsense") == 4000212
    coins = PerformanceTestRequest(originalTransactionId=store.device().buy(COINS)["transactionId"])
    assert refusal(client.initiate_performance_test, coins) == 4000211
    client.delete_realtime_url()
    assert refusal(client.delete_realtime_url) == 4040021
