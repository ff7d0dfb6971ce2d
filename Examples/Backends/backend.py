"""A small backend: it knows what its customers may use, from App Store Server Notifications and from
transactions that apps send. Written with Apple's library, as for the App Store."""

import http.server
import json
import threading

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


class Backend:
    def __init__(self, bundle_id, root_certificate, environment=Environment.SANDBOX):
        self.verifier = SignedDataVerifier([root_certificate], False, environment, bundle_id, None)
        # By the number of the first transaction: what the last one says.
        self.purchases = {}
        self.handled = set()
        # Requests come on threads of their own.
        self.lock = threading.Lock()

    def take_transaction(self, signed):
        """What an app sends after a purchase."""
        transaction = self.verifier.verify_and_decode_signed_transaction(signed)
        with self.lock:
            known = self.purchases.get(transaction.originalTransactionId)
            if known is None or known.signedDate <= transaction.signedDate:
                self.purchases[transaction.originalTransactionId] = transaction

    def take_notification(self, body):
        """What the store sends: at least once, so it may come again."""
        notification = self.verifier.verify_and_decode_notification(body["signedPayload"])
        with self.lock:
            if notification.notificationUUID in self.handled:
                return
        if notification.data and notification.data.signedTransactionInfo:
            self.take_transaction(notification.data.signedTransactionInfo)
        with self.lock:
            self.handled.add(notification.notificationUUID)

    def may_use(self, product, now):
        """Whether somebody has paid for a product, at a date in milliseconds since 1970."""
        with self.lock:
            return any(
                purchase.productId == product and purchase.revocationDate is None
                and (purchase.expiresDate is None or purchase.expiresDate > now)
                for purchase in self.purchases.values())


def serve(backend):
    """Takes notifications on a free port of this machine, until `shutdown()` is called."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers["Content-Length"])
            try:
                backend().take_notification(json.loads(self.rfile.read(length)))
                self.send_response(200)
            except Exception as error:  # The store sends it again.
                print(f"the notification can't be handled: {error!r}")
                self.send_response(500)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
