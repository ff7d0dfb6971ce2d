import StoreKit
import Testing

// Code as apps write it around receipts. Most of it only has to compile, also in Swift 5 mode.

/// Refreshes the receipt when there is none, as Apple's guide has it.
private final class ReceiptLoader: NSObject, SKRequestDelegate {
    private var request: SKReceiptRefreshRequest?
    var completion: ((Result<Data, any Error>) -> Void)?

    func load() {
        if let url = Bundle.main.appStoreReceiptURL,
            FileManager.default.fileExists(atPath: url.path),
            let data = try? Data(contentsOf: url, options: .alwaysMapped)
        {
            completion?(.success(data))
            return
        }
        let request = SKReceiptRefreshRequest(receiptProperties: nil)
        self.request = request
        request.delegate = self
        request.start()
    }

    func refreshForTesting() {
        request?.cancel()
        request = SKReceiptRefreshRequest(receiptProperties: [
            SKReceiptPropertyIsExpired: NSNumber(value: false),
            SKReceiptPropertyIsRevoked: true,
            SKReceiptPropertyIsVolumePurchase: NSNumber(value: true),
        ])
        request?.delegate = self
        request?.start()
    }

    func requestDidFinish(_ request: SKRequest) {
        if request is SKReceiptRefreshRequest, let url = Bundle.main.appStoreReceiptURL,
            let data = try? Data(contentsOf: url)
        {
            completion?(.success(data))
        }
        self.request = nil
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        completion?(.failure(error))
        self.request = nil
    }

    func isSandbox() -> Bool {
        Bundle.main.appStoreReceiptURL?.lastPathComponent == "sandboxReceipt"
    }

    func giveUp() {
        SKTerminateForInvalidReceipt()
    }
}

/// What test suites of libraries do.
private final class MockRefreshRequest: SKReceiptRefreshRequest {
    private(set) var startCount = 0

    override func start() {
        startCount += 1
        delegate?.requestDidFinish(self)
    }

    override var receiptProperties: [String: Any]? { ["vpp": true] }
}

private final class Listener: NSObject, SKRequestDelegate {
    private(set) var finished: [SKRequest] = []

    func requestDidFinish(_ request: SKRequest) { finished.append(request) }
}

@Suite struct ReceiptCode {
    @Test func `a mock takes the place of the request`() {
        let listener = Listener()
        let mock = MockRefreshRequest(receiptProperties: nil)
        mock.delegate = listener
        mock.start()
        #expect(mock.startCount == 1)
        #expect(listener.finished == [mock])
        #expect(mock.receiptProperties?["vpp"] as? Bool == true)
    }

    @Test func `the request can be made bare and seen as its base`() {
        let listener = Listener()
        let request: SKRequest = SKReceiptRefreshRequest()
        request.delegate = listener
        #expect((request as? SKReceiptRefreshRequest)?.delegate === listener)
        #expect((request as? SKReceiptRefreshRequest)?.receiptProperties == nil)
        #expect(
            SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: 1])
                .receiptProperties?.count == 1)
    }

    @Test func `the delegate is not kept alive`() {
        let request = SKReceiptRefreshRequest()
        do {
            let listener = Listener()
            request.delegate = listener
            #expect(request.delegate === listener)
        }
        #expect(request.delegate == nil)
    }

    @Test func `the keys differ`() {
        #expect(
            Set([
                SKReceiptPropertyIsExpired, SKReceiptPropertyIsRevoked,
                SKReceiptPropertyIsVolumePurchase,
            ]).count == 3)
    }

    @Test func `the additions are used like this`() throws {
        func owned(in receipt: OpenStoreReceipt) throws -> [String] {
            try receipt.verify(
                bundleIdentifier: "com.example.app", version: "1",
                deviceIdentifier: withUnsafeBytes(
                    of: OpenStore.receiptDeviceIdentifier().uuid
                ) { Data($0) })
            return receipt.inAppPurchases.map(\.productIdentifier)
        }
        func verified() throws -> OpenStoreReceipt {
            try OpenStore.verifyReceipt(
                bundleIdentifier: "com.example.app", version: nil, rootCertificate: nil)
        }
        #expect {
            try OpenStoreReceipt(data: Data("no".utf8), rootCertificate: Data("no".utf8))
        } throws: {
            ($0 as? OpenStoreReceiptError)?.code == .untrusted
        }
    }
}
