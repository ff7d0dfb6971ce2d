import Foundation

/// What says who sent a customer, by the names that links to the store have for it. Devices and
/// the store take the same ones.
package enum ReferralToken: String, Sendable, Hashable, CaseIterable {
    /// Of the affiliate who is credited.
    case affiliate = "at"
    /// Of the campaign that a sale is counted for.
    case campaign = "ct"
    /// Of the provider of analytics.
    case provider = "pt"

    /// How many letters and digits an affiliate's token has.
    package static let affiliateLengths = 4...20
    /// How many bytes a campaign's has, as at Apple.
    package static let campaignLengths = 1...40
    /// How many letters and digits a provider's has.
    package static let providerLengths = 1...20

    /// What it has to be, for sentences.
    package var rule: String {
        switch self {
        case .affiliate: "4 to 20 letters and digits without accents"
        case .campaign: "1 to 40 bytes without control characters"
        case .provider: "1 to 20 letters and digits without accents"
        }
    }

    /// Whether the store keeps it.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .affiliate: Self.isPlain(text, lengths: Self.affiliateLengths)
        case .campaign:
            Self.campaignLengths.contains(text.utf8.count)
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        case .provider: Self.isPlain(text, lengths: Self.providerLengths)
        }
    }

    /// Whether a text has nothing but letters and digits of ASCII.
    private static func isPlain(_ text: String, lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            }
    }
}
