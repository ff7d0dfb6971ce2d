import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// A customer is asked again when the price has changed: the refused order is over, and the next
/// one has a key of its own.
struct RefusedOrders {
    private let store: TestStore
    private let asked = Counter()

    init() async throws {
        store = try await TestStore(hasContent: false)
    }

    /// A transport that lets every order through, and keeps them.
    private static func transport(_ orders: OrderLog) -> InterferingTransport {
        InterferingTransport(before: { request in
            if request.url?.path.hasSuffix(DeviceRoute.purchases) == true { orders.keep(request) }
        })
    }

    @Test func `a price that changes is confirmed again, and ordered under another key`()
        async throws
    {
        let orders = OrderLog()
        let device = try await TestDevice(store, transport: Self.transport(orders)) {
            [store, asked] _ in
            // Between the first answer of the customer and the order, the price goes up.
            if asked.next() == 1 { try? await store.setPrice(1990, of: SampleShop.credits) }
            return true
        }
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
        #expect(asked.value == 2)
        let entry = try #require(try await store.ledger().first)
        #expect(entry.details.charged.thousandths == 1990)
        let keys = try orders.all.map { try $0.order.purchaseKey.text }
        #expect(keys == [bought.key, "\(bought.key)-2"])
        #expect(entry.details.key == keys.last)
    }

    @Test func `a payment that ends after a refusal is not sold to a copy of its order`()
        async throws
    {
        let orders = OrderLog()
        let device = try await TestDevice(store, transport: Self.transport(orders)) {
            [store, asked] _ in
            guard asked.next() == 1 else { return false }
            try? await store.setPrice(1990, of: SampleShop.credits)
            return true
        }
        let failed = try await device.buy(SampleShop.credits)
        #expect((failed.error as? SKError)?.code == .paymentCancelled)
        try await store.setPrice(990, of: SampleShop.credits)
        let stray = try #require(orders.all.first)
        let (data, answer) = try await HTTPTransport().send(stray)
        #expect(answer.statusCode == 409)
        #expect(try WireCoding.decode(WireError.self, from: data).code == .priceChanged)
        #expect(try await store.ledger().isEmpty)
    }

    @Test func `an app that dies while the customer is asked again goes on under the next key`()
        async throws
    {
        let home = try TemporaryFolder()
        let atDeath = try TemporaryFolder()
        try FileManager.default.removeItem(at: atDeath.url)
        let device = try await TestDevice(store, folder: home) { [store, asked] _ in
            if asked.next() == 1 {
                try? await store.setPrice(1990, of: SampleShop.credits)
                return true
            }
            try? FileManager.default.copyItem(at: home.url, to: atDeath.url)
            return false
        }
        let failed = try await device.buy(SampleShop.credits)
        try #require(failed.transactionState == .failed && asked.value == 2)
        let orders = OrderLog()
        let revived = try await TestDevice(
            store, folder: atDeath, transport: Self.transport(orders))
        revived.queue.add(revived.recorder)
        let bought = try await revived.recorder.transaction { $0.transactionState == .purchased }
        #expect(bought.key == failed.key)
        #expect(try orders.all.map { try $0.order.purchaseKey.text } == ["\(failed.key)-2"])
        #expect(try await store.ledger().map(\.details.key) == ["\(failed.key)-2"])
    }

    @Test func `each refusal uses up one more key`() throws {
        var entry = try WireCoding.decode(JournalEntry.self, from: Data(Self.earlierEntry.utf8))
        #expect(entry.purchaseKey == entry.key)
        entry = entry.afterRefusal
        #expect(entry.purchaseKey.text == "purchase-key-100001-2")
        #expect(entry.stage == .added)
        entry = entry.at(.confirmed(price: Money(thousandths: 990, currency: "USD"), account: "a"))
        entry = entry.afterRefusal
        #expect(entry.purchaseKey.text == "purchase-key-100001-3")
        #expect(entry.key.text == "purchase-key-100001")
    }

    /// As journals had it before orders were counted.
    private static let earlierEntry =
        #"{"key":"purchase-key-100001","payment":{"productIdentifier":"credits","quantity":1},"#
        + #""stage":{"confirmed":{"account":"ada@example.com","price":"#
        + #"{"currency":"USD","thousandths":990}}}}"#

    @Test func `an entry without a key for its next order is damaged`() throws {
        let key = "purchase-key-100001"
        let long = String(repeating: "k", count: 64)
        let entries: [(key: String, refusedOrders: String)] = [
            (key, "\(Int.max)"), (key, "-1"), (key, "0"), (long, "1"), (long, "null"),
            (String(repeating: "k", count: 54), "1"),
        ]
        for entry in entries {
            let json = Self.earlierEntry.dropLast().replacingOccurrences(of: key, with: entry.key)
            let data = Data((json + #","refusedOrders":\#(entry.refusedOrders)}"#).utf8)
            let error = #expect(throws: WireFormatError.self, "\(entry)") {
                try WireCoding.decode(JournalEntry.self, from: data)
            }
            #expect(error?.description.contains("refusedOrders is wrong") == true)
        }
    }

    @Test func `what no order was refused of is written as before`() throws {
        let entry = try WireCoding.decode(JournalEntry.self, from: Data(Self.earlierEntry.utf8))
        let written = String(decoding: try WireCoding.encode(entry), as: UTF8.self)
        #expect(written == Self.earlierEntry)
    }
}

/// The orders that have left a device.
private final class OrderLog: Sendable {
    private let requests = Mutex<[URLRequest]>([])

    func keep(_ request: URLRequest) { requests.withLock { $0.append(request) } }
    var all: [URLRequest] { requests.withLock { $0 } }
}

extension URLRequest {
    fileprivate var order: PurchaseRequest {
        get throws { try WireCoding.decode(PurchaseRequest.self, from: httpBody ?? Data()) }
    }
}
