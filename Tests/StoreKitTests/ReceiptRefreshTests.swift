import Foundation
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

struct ReceiptRefreshes {
    private static func refresh(
        _ device: TestDevice, _ properties: [String: Any]? = nil
    ) async -> String {
        let events = RequestEvents()
        let request = SKReceiptRefreshRequest(
            receiptProperties: properties, device: device.device)
        request.delegate = events
        request.start()
        return await events.next()
    }

    @Test func `a refresh signs in, and brings a readable file before the delegate hears of it`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store)
        let url = device.device.receiptFile.url
        #expect(url == device.device.folders.state.appendingPathComponent("sandboxReceipt"))
        #expect(throws: OpenStoreReceiptError(.missing, "")) {
            try OpenStoreReceipt.current(on: device.device)
        }
        #expect(await Self.refresh(device) == "finished")
        #expect(device.device.sessions.session?.email == TestStore.american)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let receipt = try OpenStoreReceipt.current(on: device.device)
        #expect(receipt.bundleIdentifier == SampleShop.bundleID.text)
        #expect(receipt.receiptType == "ProductionSandbox")
        #expect(receipt.inAppPurchases.isEmpty)
    }

    @Test func `what was bought is in the receipt after a refresh`() async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store)
        let bought = try await device.buy(SampleShop.credits, quantity: 3)
        try await device.device.refreshReceipt()
        let receipt = try OpenStoreReceipt.current(on: device.device)
        let purchase = try #require(receipt.inAppPurchases.first)
        #expect(purchase.productIdentifier == SampleShop.credits)
        #expect(purchase.quantity == 3)
        #expect(purchase.transactionIdentifier == bought.transactionIdentifier)
        #expect(purchase.originalTransactionIdentifier == bought.transactionIdentifier)
        // Told directly: this is about the receipt, not about the queue.
        try await device.device.client.finish(
            try #require(TransactionID(purchase.transactionIdentifier)),
            session: try #require(device.device.sessions.session))
        try await device.device.refreshReceipt()
        #expect(try OpenStoreReceipt.current(on: device.device).inAppPurchases.isEmpty)
    }

    @Test func `the production receipt has its own name`() async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(
            store, profile: try await store.profile(environment: .production))
        #expect(await Self.refresh(device) == "finished")
        #expect(device.device.receiptFile.url.lastPathComponent == "receipt")
        #expect(try OpenStoreReceipt.current(on: device.device).receiptType == "Production")
    }

    @Test func `the quiet refresh asks nobody and leaves the receipt alone`() async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store)
        try await device.device.refreshReceipt()
        #expect(device.device.sessions.session == nil)
        #expect(!FileManager.default.fileExists(atPath: device.device.receiptFile.url.path))
    }

    @Test(
        arguments: [
            ([SKReceiptPropertyIsExpired: true], "ProductionVPPSandbox past -"),
            ([SKReceiptPropertyIsRevoked: NSNumber(value: true)], "ProductionSandbox - cancelled"),
            (
                [SKReceiptPropertyIsVolumePurchase: NSNumber(value: 1)],
                "ProductionVPPSandbox future -"
            ),
            ([SKReceiptPropertyIsExpired: false], "ProductionSandbox - -"),
            (["unknown": "property", SKReceiptPropertyIsRevoked: "no"], "ProductionSandbox - -"),
        ] as [([String: any Sendable], String)])
    func `the properties of a request make the receipt`(
        properties: [String: any Sendable], expected: String
    ) async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store)
        _ = try await device.buy(SampleShop.badge)
        #expect(await Self.refresh(device, properties) == "finished")
        let receipt = try OpenStoreReceipt.current(on: device.device)
        let end = receipt.expirationDate.map { $0 < receipt.creationDate ? "past" : "future" }
        let isCancelled = receipt.inAppPurchases.first?.cancellationDate != nil
        #expect(
            "\(receipt.receiptType) \(end ?? "-") \(isCancelled ? "cancelled" : "-")" == expected)
    }

    @Test func `a customer who does not sign in, and a store that can't be reached`() async throws {
        let store = try await TestStore(hasContent: false)
        let stranger = try await TestDevice(store, email: "nobody@example.com")
        #expect(await Self.refresh(stranger) == "failed SKErrorDomain 2")
        let lost = try await TestDevice(
            store, profile: try await store.profile(address: "http://127.0.0.1:1"))
        #expect(await Self.refresh(lost) == "failed NSURLErrorDomain -1004")
    }

    @Test func `a cancelled request says nothing`() async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store)
        let events = RequestEvents()
        let cancelled = SKReceiptRefreshRequest(receiptProperties: nil, device: device.device)
        cancelled.delegate = events
        cancelled.start()
        cancelled.cancel()
        let request = SKReceiptRefreshRequest(receiptProperties: nil, device: device.device)
        request.delegate = events
        request.start()
        #expect(await events.next() == "finished")
        #expect(events.heard == 1)
    }

    @Test func `an answer that is not this device's receipt leaves the old one in place`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let other = try await TestStore(hasContent: false, hasOwnKeys: true)
        let foreign = Mutex<[Data]>([])
        let transport = InterferingTransport(change: { path, answer in
            guard path.hasSuffix("/receipt"), let bytes = foreign.withLock({ $0.popLast() })
            else { return answer }
            return try WireCoding.encode(ReceiptAnswer(receipt: bytes))
        })
        let device = try await TestDevice(store, transport: transport)
        #expect(await Self.refresh(device) == "finished")
        let url = device.device.receiptFile.url
        let good = try Data(contentsOf: url)

        func receipt(_ store: TestStore, app: String, device: Data) throws -> Data {
            try store.store.keys.receiptSigner().sign(
                AppReceipt(
                    type: "ProductionSandbox", appStoreID: 0, bundleID: app,
                    applicationVersion: "1", opaqueValue: Data([1]), deviceIdentifier: device,
                    creationDate: Date()))
        }
        let app = SampleShop.bundleID.text
        let id = device.device.receiptFile.deviceIdentifier
        let bad = [
            try receipt(other, app: app, device: id),
            try receipt(store, app: "com.example.other", device: id),
            try receipt(store, app: app, device: Data([1])), Data("garbage".utf8), Data(),
        ]
        for bytes in bad {
            foreign.withLock { $0 = [bytes] }
            #expect(await Self.refresh(device) == "failed SKErrorDomain 0")
            #expect(try Data(contentsOf: url) == good)
        }
        let own = try receipt(store, app: app, device: id)
        foreign.withLock { $0 = [own] }
        #expect(await Self.refresh(device) == "finished")
        #expect(try Data(contentsOf: url) != good)
    }

    @Test func `an older answer never replaces a newer one`() async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store)
        _ = try await device.device.signedIn()
        let file = device.device.receiptFile
        let client = device.device.client
        let session = try #require(device.device.sessions.session)
        // The first refresh gets its answer only after the second is done.
        var newer: Data?
        try await file.refresh(nil) { request in
            let old = try await client.receipt(request, session: session)
            try await file.refresh(nil) { try await client.receipt($0, session: session) }
            newer = try Data(contentsOf: file.url)
            #expect(newer != old.receipt)
            return old
        }
        #expect(try Data(contentsOf: file.url) == newer)
        try await file.refresh(nil) { try await client.receipt($0, session: session) }
        #expect(try Data(contentsOf: file.url) != newer)
    }

    @Test func `a receipt on another device, of another app or version does not count`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store)
        #expect(await Self.refresh(device) == "finished")
        let data = try Data(contentsOf: device.device.receiptFile.url)
        let root = try store.store.keys.root.der()
        let receipt = try OpenStoreReceipt(data: data, rootCertificate: root)
        let app = SampleShop.bundleID.text
        try receipt.verify(
            bundleIdentifier: app, version: receipt.applicationVersion,
            deviceIdentifier: device.device.receiptFile.deviceIdentifier)
        #expect(throws: OpenStoreReceiptError(.otherApp, "")) {
            try receipt.verify(bundleIdentifier: "com.example")
        }
        #expect(throws: OpenStoreReceiptError(.otherVersion, "")) {
            try receipt.verify(bundleIdentifier: app, version: "999")
        }
        #expect(throws: OpenStoreReceiptError(.otherDevice, "")) {
            try receipt.verify(bundleIdentifier: app, deviceIdentifier: Data([1]))
        }
        let other = try await TestDevice(store)
        try FileManager.default.copyItem(
            at: device.device.receiptFile.url, to: other.device.receiptFile.url)
        #expect(throws: OpenStoreReceiptError(.otherDevice, "")) {
            try OpenStoreReceipt.current(on: other.device)
        }
        let stranger = try await TestStore(hasContent: false, hasOwnKeys: true)
        #expect(throws: OpenStoreReceiptError(.untrusted, "")) {
            try OpenStoreReceipt(data: data, rootCertificate: stranger.store.keys.root.der())
        }
        #expect(throws: OpenStoreReceiptError(.malformed, "")) {
            try OpenStoreReceipt(data: Data(), rootCertificate: root)
        }
    }
}

struct ReceiptVerification {
    private let store: TestStore
    private let device: TestDevice
    private var app: String { SampleShop.bundleID.text }

    init() async throws {
        store = try await TestStore(hasContent: false)
        device = try await TestDevice(store)
        _ = try await device.device.signedIn()
        try await device.device.refreshReceipt()
    }

    private func verify(
        app: String? = nil, version: String? = nil, root: Data? = nil, on other: TestDevice? = nil,
        at date: Date = Date()
    ) throws {
        _ = try OpenStore.verifyReceipt(
            on: (other ?? device).device, bundleIdentifier: app ?? self.app, version: version,
            rootCertificate: root, at: date)
    }

    @Test func `a receipt counts for its app, version, device and root only`() async throws {
        try verify()
        try verify(version: BundleVersion.current, root: store.store.keys.root.der())
        #expect(throws: OpenStoreReceiptError(.otherApp, "")) { try verify(app: "com.example") }
        #expect(throws: OpenStoreReceiptError(.otherVersion, "")) { try verify(version: "999") }
        let other = try await TestDevice(store)
        #expect(throws: OpenStoreReceiptError(.missing, "")) { try verify(on: other) }
        try FileManager.default.copyItem(
            at: device.device.receiptFile.url, to: other.device.receiptFile.url)
        #expect(throws: OpenStoreReceiptError(.otherDevice, "")) { try verify(on: other) }
        let stranger = try await TestStore(hasContent: false, hasOwnKeys: true)
        let root = try stranger.store.keys.root.der()
        #expect(throws: OpenStoreReceiptError(.untrusted, "")) { try verify(root: root) }
        #expect(throws: OpenStoreReceiptError(.untrusted, "")) { try verify(root: Data("no".utf8)) }
    }

    @Test func `a receipt goes on to count when the store's keys are rotated`() async throws {
        let own = try await TestStore(hasContent: false, hasOwnKeys: true)
        let device = try await TestDevice(own)
        _ = try await device.device.signedIn()
        try await device.device.refreshReceipt()
        try own.store.keys.rotate(intermediate: true, at: Date())
        try verify(on: device)
        _ = try await device.buy(SampleShop.badge)
        try await device.device.refreshReceipt()
        try verify(on: device)
    }

    @Test func `the receipt of a volume purchase ends`() async throws {
        try await device.device.refreshReceipt(
            ReceiptProperties(expired: false, revoked: false, volumePurchase: true))
        try verify()
        let end = Date().addingTimeInterval(366 * 86_400)
        #expect(throws: OpenStoreReceiptError(.expired, "")) { try verify(at: end) }
        try await device.device.refreshReceipt(
            ReceiptProperties(expired: true, revoked: false, volumePurchase: false))
        #expect(throws: OpenStoreReceiptError(.expired, "")) { try verify() }
    }

    @Test func `one changed byte anywhere in the receipt is one too many`() throws {
        let url = device.device.receiptFile.url
        let good = try Data(contentsOf: url)
        for index in stride(from: 0, to: good.count, by: 17) {
            var bytes = good
            bytes[index] ^= 0x20
            try bytes.write(to: url)
            // Among the certificates are bytes that nobody reads: the root is known.
            let receipt = try? OpenStore.verifyReceipt(
                on: device.device, bundleIdentifier: app, at: Date())
            guard let receipt else { continue }
            try good.write(to: url)
            #expect(
                try receipt
                    == OpenStore.verifyReceipt(
                        on: device.device, bundleIdentifier: app, at: Date()), "\(index)")
        }
    }
}

/// A delegate that writes down how requests end.
private final class RequestEvents: NSObject, SKRequestDelegate, Sendable {
    private let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let count = Mutex(0)

    override init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    var heard: Int { count.withLock { $0 } }

    func next() async -> String {
        for await event in events { return event }
        return "nothing"
    }

    private func hear(_ event: String) {
        count.withLock { $0 += 1 }
        continuation.yield(event)
    }

    func requestDidFinish(_ request: SKRequest) { hear("finished") }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        hear("failed \((error as NSError).domain) \((error as NSError).code)")
    }
}
