import Foundation
import Testing

@testable import StoreSecurity

@Suite("Receipt payload")
struct ReceiptCodingTests {
    @Test func `every attribute survives its DER`() throws {
        let receipt = try TestReceipts.full()
        var read = try AppReceipt(payload: receipt.payload())
        // A SET has no order.
        read.purchases.sort { $0.transactionID < $1.transactionID }
        var written = receipt
        written.purchases.sort { $0.transactionID < $1.transactionID }
        #expect(read == written)
    }

    @Test func `what a receipt doesn't say is nil again`() throws {
        let receipt = try AppReceipt(
            type: "Production", appStoreID: nil, bundleID: "a", applicationVersion: "1",
            opaqueValue: Data([1]), deviceIdentifier: Data([2]),
            creationDate: TestChain.signingTime, purchases: [TestReceipts.plain(1)])
        let read = try AppReceipt(payload: receipt.payload())
        #expect(read == receipt)
        #expect(read.purchases.first?.cancellationDate == nil)
        #expect(read.expirationDate == nil && read.appStoreID == nil)
    }

    @Test func `dates are whole seconds in UTC`() throws {
        let date = DERValue.date(Date(timeIntervalSince1970: 1_542_127_591.999))
        #expect(date == .ia5("2018-11-13T16:46:31Z"))
    }

    @Test func `the DER is the one that the standard asks for`() throws {
        #expect(try DERValue.integer(0).der() == Data([2, 1, 0]))
        #expect(try DERValue.integer(1701).der() == Data([2, 2, 0x06, 0xa5]))
        #expect(try DERValue.integer(-1).der() == Data([2, 1, 0xff]))
        #expect(try DERValue.utf8("é").der() == Data([12, 2, 0xc3, 0xa9]))
        #expect(try DERValue.ia5("").der() == Data([22, 0]))
        #expect(try DERValue.octets(Data()).der() == Data([4, 0]))
        let pair = try DERValue.sequence(of: [.integer(2), .integer(1)])
        #expect(try pair.der() == Data([0x30, 6, 2, 1, 2, 2, 1, 1]))
        // A SET OF is sorted by its bytes.
        let set = try DERValue.set(of: [.integer(2), .integer(1)])
        #expect(try set.der() == Data([0x31, 6, 2, 1, 1, 2, 1, 2]))
        #expect(try set.elements() == [.integer(1), .integer(2)])
        #expect(try DERValue(der: set.der()) == set)
    }

    @Test func `the hash binds a receipt to a device`() throws {
        let receipt = try TestReceipts.full()
        #expect(try receipt.isMade(forDevice: TestReceipts.device))
        #expect(try !receipt.isMade(forDevice: Data([1])))
        #expect(try !receipt.isMade(forDevice: Data()))
        #expect(receipt.deviceHash.count == 20)
        // Device, opaque value and the DER of the bundle identifier, in this order.
        let one = try AppReceipt(
            type: "", appStoreID: nil, bundleID: "a", applicationVersion: "",
            opaqueValue: Data("b".utf8), deviceIdentifier: Data("a".utf8),
            creationDate: TestChain.signingTime)
        #expect(one.bundleIDValue == Data([12, 1, 97]))
        // printf 'ab\014\001a' | sha1sum
        #expect(
            SHA256Digest.hexadecimal(one.deviceHash)
                == "10669093629ec57f71a6ff178764b7c33773c81c")
    }

    @Test(arguments: [2, 4, 5, 12] as [Int64])
    func `a receipt without an attribute that it needs is malformed`(missing: Int64) throws {
        let payload = try Self.changed { $0.filter { $0.type != missing } }
        #expect(throws: SecurityError(.malformed, "")) { try AppReceipt(payload: payload) }
    }

    @Test(arguments: [0, 2, 3, 4, 5, 12, 18, 19, 21] as [Int64])
    func `an attribute that occurs twice is malformed`(twice: Int64) throws {
        let payload = try Self.changed { $0 + $0.filter { $0.type == twice } }
        #expect(throws: SecurityError(.malformed, "")) { try AppReceipt(payload: payload) }
    }

    @Test func `unknown attributes are skipped`() throws {
        let payload = try Self.changed {
            $0 + [(25, Data([1, 2, 3])), (7, Data()), (-1, Data([0]))]
        }
        #expect(try AppReceipt(payload: payload).bundleID == "com.example.app")
    }

    @Test(arguments: ["yesterday", "2018-11-13", "2018-99-99T99:99:99Z", "\u{0}", "é"])
    func `a date of another form is malformed`(text: String) throws {
        let value = try DERValue.utf8(text).der()
        let payload = try Self.changed { $0.map { $0.type == 12 ? (12, value) : $0 } }
        #expect(throws: SecurityError(.malformed, "")) { try AppReceipt(payload: payload) }
    }

    /// The payload of a full receipt with its attributes changed.
    static func changed(
        _ change: ([(type: Int64, value: Data)]) -> [(type: Int64, value: Data)]
    ) throws -> Data {
        let attributes = try DERValue(der: TestReceipts.full().payload()).elements().map {
            element -> (type: Int64, value: Data) in
            let parts = try element.elements()
            try #require(parts.count == 3)
            guard case .integer(let type) = parts[0], case .octets(let value) = parts[2] else {
                throw SecurityError(.malformed, "")
            }
            return (type, value)
        }
        return try DERValue.set(
            of: change(attributes).map {
                try .sequence(of: [.integer($0.type), .integer(1), .octets($0.value)])
            }
        ).der()
    }
}
