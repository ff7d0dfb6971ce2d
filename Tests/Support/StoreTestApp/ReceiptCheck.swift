import Foundation
import StoreKit

/// What an app does that checks its receipt at its start, with nothing but public API: says
/// where the receipt should be, refreshes it, and says what it holds.
enum ReceiptCheck {
    static func run() async throws {
        // Before anything of the framework has run.
        say("bundle \(Bundle.main.appStoreReceiptURL?.path ?? "nil")")
        say("other \(Bundle(path: "/")?.appStoreReceiptURL?.path ?? "nil")")
        say("openstore \(OpenStore.receiptURL?.path ?? "nil")")
        guard OpenStore.receiptURL != nil else { return }
        OpenStore.sheet = TestSheet(fault: Fault(""))
        let delegate = Delegate()
        let request = SKReceiptRefreshRequest()
        request.delegate = delegate
        request.start()
        for await event in delegate.events { say(event) }
        guard let url = Bundle.main.appStoreReceiptURL else { return }
        say("bytes \(try Data(contentsOf: url).count)")
        let receipt = try OpenStoreReceipt.current()
        say("receipt \(receipt.bundleIdentifier) \(receipt.receiptType)")
        try OpenStore.verifyReceipt(
            bundleIdentifier: receipt.bundleIdentifier, version: receipt.applicationVersion)
        say("device \(try OpenStore.receiptDeviceIdentifier().uuidString)")
    }

    private final class Delegate: NSObject, SKRequestDelegate {
        let events: AsyncStream<String>
        private let continuation: AsyncStream<String>.Continuation

        override init() {
            (events, continuation) = AsyncStream.makeStream()
        }

        func requestDidFinish(_ request: SKRequest) {
            continuation.yield("refreshed")
            continuation.finish()
        }

        func request(_ request: SKRequest, didFailWithError error: any Error) {
            continuation.yield("failed \(error)")
            continuation.finish()
        }
    }
}
