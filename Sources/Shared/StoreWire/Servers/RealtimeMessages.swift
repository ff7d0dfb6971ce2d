import Foundation

/// What a publisher's server is asked: which message a customer gets.
package struct RealtimeRequestBody: Codable, Sendable, Hashable {
    package var signedPayload: String

    package init(signedPayload: String) {
        self.signedPayload = signedPayload
    }
}

/// The payload of the question, with the keys of Apple's `DecodedRealtimeRequestBody`.
package struct RealtimePayload: Codable, Sendable, Hashable {
    package var originalTransactionId: String
    package var appAppleId: Int64
    package var productId: String
    /// As `en-US`.
    package var userLocale: String
    package var requestIdentifier: String
    package var signedDate: Int64
    package var environment: String

    package init(
        originalTransactionId: String, appAppleId: Int64, productId: String, userLocale: String,
        requestIdentifier: String, signedDate: Int64, environment: String
    ) {
        self.originalTransactionId = originalTransactionId
        self.appAppleId = appAppleId
        self.productId = productId
        self.userLocale = userLocale
        self.requestIdentifier = requestIdentifier
        self.signedDate = signedDate
        self.environment = environment
    }
}

/// What a publisher's server answers: one of four things, or nothing of them.
package enum RealtimeAnswer {
    private static let choices = [
        "message", "alternateProduct", "promotionalOffer", "advancedCommerceInfo",
    ]

    /// Whether an answer has the form that it is to have.
    package static func isValid(_ body: Data) -> Bool {
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
