import Foundation
import StoreTestSupport
import Testing

@testable import StoreSecurity

/// Receipts from people who mean harm: refused, and never a crash.
@Suite("Hostile receipts")
struct HostileReceiptTests {
    @Test func `a receipt cut short anywhere is refused`() throws {
        let receipts = try TestReceipts()
        let whole = try receipts.signer.sign(TestReceipts.full())
        for length in 0..<whole.count {
            #expect(throws: SecurityError.self) {
                try receipts.verifier.verify(whole.prefix(length))
            }
        }
    }

    @Test func `a payload cut short anywhere is malformed`() throws {
        let payload = try TestReceipts.full().payload()
        for length in 0..<payload.count {
            #expect(throws: SecurityError(.malformed, "")) {
                try AppReceipt(payload: payload.prefix(length))
            }
        }
    }

    @Test func `bytes behind the receipt or its payload are refused`() throws {
        let receipts = try TestReceipts()
        let receipt = try TestReceipts.full()
        #expect(throws: SecurityError(.malformed, "")) {
            try receipts.verifier.verify(receipts.signer.sign(receipt) + [0])
        }
        #expect(throws: SecurityError(.malformed, "")) {
            try AppReceipt(payload: receipt.payload() + [0])
        }
    }

    @Test func `changed bytes never give another receipt`() throws {
        let receipts = try TestReceipts()
        let receipt = try TestReceipts.full()
        let whole = try receipts.signer.sign(receipt)
        let read = try receipts.verifier.verify(whole)
        try #require(!whole.isEmpty)
        var numbers = SeededRandom(seed: 1)
        for _ in 0..<4000 {
            var changed = whole
            for _ in 0...Int.random(in: 0..<3, using: &numbers) {
                changed[Int.random(in: 0..<changed.count, using: &numbers)] =
                    UInt8.random(in: .min ... .max, using: &numbers)
            }
            // A change of a certificate that nobody needs may go unseen.
            if let result = try? receipts.verifier.verify(changed) { #expect(result == read) }
        }
    }

    @Test func `changed payloads are read or refused`() throws {
        let payload = try TestReceipts.full().payload()
        try #require(!payload.isEmpty)
        var numbers = SeededRandom(seed: 2)
        var refused = 0
        for _ in 0..<20_000 {
            var changed = payload
            for _ in 0...Int.random(in: 0..<4, using: &numbers) {
                changed[Int.random(in: 0..<changed.count, using: &numbers)] =
                    UInt8.random(in: .min ... .max, using: &numbers)
            }
            do { _ = try AppReceipt(payload: changed) } catch is SecurityError { refused += 1 }
        }
        #expect(refused > 10_000)
    }

    @Test func `noise is refused`() throws {
        let receipts = try TestReceipts()
        var numbers = SeededRandom(seed: 3)
        for length in 0..<500 {
            let noise = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) })
            #expect(throws: SecurityError.self) { try receipts.verifier.verify(noise) }
            #expect(throws: SecurityError.self) { try AppReceipt(payload: noise) }
        }
    }

    @Test(
        arguments: [
            // Lengths far behind the end, of 4 and of 8 bytes, and one that never ends.
            [0x31, 0x84, 0x7f, 0xff, 0xff, 0xff, 0x02, 0x01, 0x01],
            [0x31, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            [0x31, 0x80, 0x02, 0x01, 0x01],
            [0x31, 0x80, 0x30, 0x80, 0x31, 0x80],
            // Numbers and tags without end.
            [0x31, 0x04, 0x1f, 0xff, 0xff, 0xff],
            [0x31, 0xff], [0x31], [0x05, 0x00], [0x31, 0x02, 0x05, 0x00],
        ] as [[UInt8]])
    func `impossible lengths are malformed`(bytes: [UInt8]) throws {
        #expect(throws: SecurityError(.malformed, "")) { try AppReceipt(payload: Data(bytes)) }
        let verifier = try TestReceipts().verifier
        #expect(throws: SecurityError(.malformed, "")) { try verifier.verify(Data(bytes)) }
    }

    @Test(arguments: [0x31, 0x30, 0x24, 0xa0] as [UInt8])
    func `values within values without end are malformed`(tag: UInt8) throws {
        // Indefinite lengths: each level is two bytes.
        let deep = Data((0..<200_000).flatMap { _ in [tag, 0x80] })
        #expect(throws: SecurityError(.malformed, "")) { try AppReceipt(payload: deep) }
        let verifier = try TestReceipts().verifier
        #expect(throws: SecurityError(.malformed, "")) { try verifier.verify(deep) }
    }

    @Test func `numbers larger than any are malformed`() throws {
        let huge = Data([2, 16] + [UInt8](repeating: 0x7f, count: 16))
        for type in [1, 0] as [Int64] {
            let payload = try ReceiptCodingTests.changed {
                $0.filter { $0.type != type } + [(type, huge)]
            }
            #expect(throws: SecurityError(.malformed, "")) { try AppReceipt(payload: payload) }
        }
    }

    @Test func `a file beyond the limit is refused unread`() throws {
        let verifier = try TestReceipts().verifier
        let large = Data(count: ReceiptVerifier.sizeLimit + 1)
        #expect {
            try verifier.verify(large)
        } throws: {
            "\($0)".contains("more than")
        }
    }
}
