import Foundation
import StoreHTTP

/// The fields of a form as browsers send it (`application/x-www-form-urlencoded`).
package struct FormFields: Sendable, Equatable {
    /// The largest form, in bytes.
    package static let sizeLimit = 16 << 10
    package static let fieldLimit = 32

    /// Why a body is no form.
    package enum Problem: Error, Sendable, Hashable {
        case otherType, tooLarge, malformed
    }

    private let values: [String: [String]]

    /// A form with these fields, for tests of pages.
    package init(_ values: [String: [String]] = [:]) {
        self.values = values
    }

    /// - Parameters:
    ///   - sizeLimit: the most bytes that are taken.
    ///   - fieldLimit: the most fields that are taken.
    ///   - mayRepeat: whether a name may come more than once, as those of checkboxes do.
    /// - Throws: `Problem`. A name that comes twice without leave is malformed.
    package init(
        _ request: HTTPRequest, sizeLimit: Int = sizeLimit, fieldLimit: Int = fieldLimit,
        mayRepeat: Bool = false
    ) throws {
        let type = (request.headers["Content-Type"] ?? "").prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces).lowercased()
        guard type == "application/x-www-form-urlencoded" else { throw Problem.otherType }
        guard request.body.count <= sizeLimit else { throw Problem.tooLarge }
        let pairs = request.body.split(separator: UInt8(ascii: "&"))
        guard pairs.count <= fieldLimit else { throw Problem.tooLarge }
        var values: [String: [String]] = [:]
        for pair in pairs {
            let sides = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decode(sides[0])
            let value = sides.count == 2 ? try Self.decode(sides[1]) : ""
            guard mayRepeat || values[name] == nil else { throw Problem.malformed }
            values[name, default: []].append(value)
        }
        self.values = values
    }

    /// The value of a field; empty where the form has none.
    package subscript(name: String) -> String { values[name]?.first ?? "" }

    /// All values under a name, as checkboxes give them; none where none is ticked.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    private static func decode(_ bytes: Data) throws -> String {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit),
                    let low = rest.popFirst().flatMap(digit)
                else { throw Problem.malformed }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return try text(decoded)
    }

    /// The text of a value. Databases keep none with U+0000, which no browser sends.
    static func text(_ bytes: some Collection<UInt8>) throws -> String {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem.malformed
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
