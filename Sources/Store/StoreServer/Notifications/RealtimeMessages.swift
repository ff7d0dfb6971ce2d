import Foundation
import StoreWire

/// What a publisher's server is asked: which message a customer gets.
struct RealtimeRequestBody: Codable, Sendable, Hashable {
    var signedPayload: String
}

/// The payload of the question, with the keys of Apple's `DecodedRealtimeRequestBody`.
struct RealtimePayload: Codable, Sendable, Hashable {
    var originalTransactionId: String
    var appAppleId: Int64
    var productId: String
    /// As `en-US`.
    var userLocale: String
    var requestIdentifier: String
    var signedDate: Int64
    var environment: String
}

/// What a publisher's server answers: one of four things, or nothing of them.
enum RealtimeAnswer {
    private static let choices = [
        "message", "alternateProduct", "promotionalOffer", "advancedCommerceInfo",
    ]

    /// Whether an answer has the form that it is to have.
    static func isValid(_ body: Data) -> Bool {
        guard let members = try? JSONValue(reading: body).members else { return false }
        let made = choices.compactMap { name in
            members[name].flatMap { $0 == .null ? .none : .some((name: name, value: $0)) }
        }
        guard made.count <= 1 else { return false }
        guard let choice = made.first else { return true }
        guard choice.value.members != nil else { return false }
        // What customers read is one of the messages.
        return choice.name == "advancedCommerceInfo"
            || choice.value["messageIdentifier"]?.text.flatMap(UUID.init(uuidString:)) != nil
    }
}
