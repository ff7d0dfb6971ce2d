import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// Receipts from people who mean harm, and from elsewhere: each gets a number, whatever it is.
@Suite struct VerifyHostileReceiptTests {
    private static func receipt(
        _ fixture: ReceiptFixture, type: String = "ProductionSandbox",
        purchases: [ReceiptPurchase] = []
    ) throws -> AppReceipt {
        try AppReceipt(
            type: type, appStoreID: 0, bundleID: SampleShop.bundleID.text,
            applicationVersion: "7", opaqueValue: Data(repeating: 1, count: 16),
            deviceIdentifier: ReceiptFixture.device, creationDate: fixture.clock.now(),
            purchases: purchases)
    }

    @Test func `another store's receipts are not authenticated`() async throws {
        let fixture = try await ReceiptFixture()
        let other = try await TestStore(hasContent: false, clock: fixture.clock, hasOwnKeys: true)
        let signer = other.store.keys.receiptSigner()
        let receipt = try Self.receipt(fixture)
        #expect(
            try await fixture.verify(fixture.shop.store.keys.receiptSigner().sign(receipt))[
                "status"]
                == 0)
        #expect(try await fixture.refusal(signer.sign(receipt)) == 21003)
        let old = TransactionReceipt(
            environment: "Sandbox", bundleID: SampleShop.bundleID.text, applicationVersion: "7",
            itemID: "1", deviceIdentifier: "", productID: SampleShop.badge, quantity: 1,
            transactionID: "1000000000000001", originalTransactionID: "1000000000000001",
            purchaseDate: fixture.clock.now(), originalPurchaseDate: fixture.clock.now(),
            signedDate: fixture.clock.now())
        #expect(try await fixture.refusal(signer.sign(old)) == 21003)
        // Xcode signs with keys of its own too; Apple calls what it makes malformed.
        #expect(
            try await fixture.refusal(signer.sign(try Self.receipt(fixture, type: "Xcode")))
                == 21002)
    }

    @Test func `no changed receipt is taken for another one`() async throws {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        _ = try await client.buy(APIClient.badge(1))
        let whole = try await fixture.receipt(client)
        try #require(!whole.isEmpty)
        let wanted = try #require(try await fixture.verify(whole)["receipt"])
        var numbers = SeededRandom(seed: 7)
        var counts: [Int: Int] = [:]
        for _ in 0..<500 {
            var changed = whole
            changed[Int.random(in: 0..<changed.count, using: &numbers)] ^=
                UInt8.random(in: 1 ... .max, using: &numbers)
            let answer = try await fixture.verify(changed)
            let status = try #require(answer["status"]?.integer)
            counts[status, default: 0] += 1
            // A change of a certificate that nobody needs may go unseen.
            if status == 0 { #expect(answer["receipt"] == wanted) }
        }
        #expect(Set(counts.keys).isSubset(of: [0, 21002, 21003]))
        #expect(counts[21002, default: 0] > 50 && counts[21003, default: 0] > 50)
        // The signature of another receipt.
        let other = try await fixture.receipt(client)
        #expect(
            try await fixture.refusal(whole.dropLast(256) + other.suffix(256)) == 21003)
    }

    @Test func `random bytes are no receipt`() async throws {
        let fixture = try await ReceiptFixture()
        var numbers = SeededRandom(seed: 8)
        for _ in 0..<300 {
            let count = Int.random(in: 1..<400, using: &numbers)
            let bytes = Data(
                (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) })
            #expect(try await fixture.refusal(bytes) == 21002)
            // As a body of its own.
            #expect(try await fixture.number(bytes) == 21000)
        }
    }

    @Test(arguments: [40, 100_000])
    func `JSON of many levels is unreadable`(depth: Int) async throws {
        let fixture = try await ReceiptFixture(altitude: .socket)
        let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try await fixture.number(Data(lists.utf8)) == 21000)
        let member = #"{"receipt-data":"AAAA","more":\#(lists)}"#
        #expect(try await fixture.number(Data(member.utf8)) == 21000)
    }

    @Test func `a receipt of ten thousand purchases is verified, a larger body is refused`()
        async throws
    {
        let fixture = try await ReceiptFixture(altitude: .socket)
        let now = fixture.clock.now()
        let purchases = (0..<10_000).map { number in
            ReceiptPurchase(
                quantity: 1, productID: SampleShop.credits, transactionID: "\(number)",
                purchaseDate: now, originalTransactionID: "\(number)", originalPurchaseDate: now,
                productKind: .consumable)
        }
        // The account is found by the first of them, which this store does not know.
        let receipt = try fixture.shop.store.keys.receiptSigner().sign(
            try Self.receipt(fixture, purchases: purchases))
        #expect(receipt.count > 1 << 20)
        #expect(try await fixture.refusal(receipt) == 21010)
        let marked = AppReceipt(
            renewing: try fixture.read(
                try await fixture.receipt(try await fixture.server.customer())),
            creationDate: now, purchases: purchases)
        let answer = try await fixture.verify(
            try fixture.shop.store.keys.receiptSigner().sign(marked))
        #expect(try #require(answer["receipt"]).list("in_app").count == 10_000)
        for size in [9 << 20, 13 << 20] {
            #expect(try await fixture.refusal(Data(count: size)) == 21002)
        }
    }

    @Test func `a body of unknown length is taken`() async throws {
        let fixture = try await ReceiptFixture()
        let receipt = try await fixture.receipt(try await fixture.server.customer())
        let body = ReceiptFixture.body(receipt)
        var bytes = Data(
            """
            POST /sandbox/verifyReceipt HTTP/1.1\r
            Host: x\r
            Connection: close\r
            Transfer-Encoding: chunked\r
            \r

            """.utf8)
        bytes += Data("\(String(body.count, radix: 16))\r\n".utf8) + body
        bytes += Data("\r\n0\r\n\r\n".utf8)
        let answer = try LoopbackClient.parse(
            try await LoopbackClient(port: fixture.shop.server.port).exchange(bytes))
        #expect(answer.status == 200)
        #expect(String(decoding: answer.data, as: UTF8.self).contains(#""status":0"#))
    }
}
