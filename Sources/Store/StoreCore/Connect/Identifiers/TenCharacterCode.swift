import StoreDatabase

/// Numbers as ten capital letters and digits, as publishers know identifiers of App IDs,
/// profiles and teams.
///
/// A number and its code are the same thing in two spellings: codes are spread evenly, so that
/// they look unlike one another, but they keep nothing secret.
package enum TenCharacterCode {
    /// 36 to the power of 10.
    private static let count: UInt64 = 3_656_158_440_062_976
    /// Odd and no multiple of three, so each number below `count` has an inverse.
    private static let factor: UInt64 = 2_718_281_828_459_045
    private static let inverse: UInt64 = 2_597_075_448_916_397
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    /// - Parameters:
    ///   - number: not negative, and less than 36 to the power of 10.
    ///   - kind: gives things of different kinds different codes for the same number.
    static func text(of number: Int64, kind: UInt64) -> String {
        precondition(number >= 0 && UInt64(number) < count, "no code for the number \(number)")
        var rest = product((UInt64(number) + kind) % count, factor)
        var characters: [UInt8] = []
        for _ in 0..<10 {
            characters.append(digits[Int(rest % 36)])
            rest /= 36
        }
        return String(decoding: characters.reversed(), as: UTF8.self)
    }

    /// Nil for what is no code.
    static func number(of text: String, kind: UInt64) -> Int64? {
        guard text.utf8.count == 10 else { return nil }
        var value: UInt64 = 0
        for byte in text.utf8 {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            value = value * 36 + UInt64(digit)
        }
        return Int64((product(value, inverse) + count - kind % count) % count)
    }

    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        count.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
    }
}

/// Something that Connect names with ten capital letters and digits.
package protocol TenCharacterIdentifier: NumberColumnValue, Hashable, CustomStringConvertible {
    /// Gives things of different kinds different codes for the same number.
    static var kind: UInt64 { get }
}

extension TenCharacterIdentifier {
    package init?(_ text: String) {
        guard let number = TenCharacterCode.number(of: text, kind: Self.kind) else { return nil }
        self.init(number: number)
    }

    package var text: String { TenCharacterCode.text(of: number, kind: Self.kind) }
    package var description: String { text }
}

/// The identifier of a bundle identifier in Connect.
package struct BundleIdentifierID: TenCharacterIdentifier {
    package static let kind: UInt64 = 1_000_003
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// The identifier of a provisioning profile in Connect.
package struct ProfileID: TenCharacterIdentifier {
    package static let kind: UInt64 = 20_000_003
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// The prefix of a team's application identifiers, which Connect calls the seed identifier.
package struct TeamPrefix: TenCharacterIdentifier {
    package static let kind: UInt64 = 300_000_007
    /// The team's.
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    package init(team: Int64) {
        self.init(number: team)
    }

    package var team: Int64 { number }
}
