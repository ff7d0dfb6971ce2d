/// The payload of a notification, with the keys of Apple's `ResponseBodyV2DecodedPayload`. It has either
/// `data` or `summary`.
struct NotificationPayload: Codable, Sendable, Hashable {
    var notificationType: String
    var subtype: String?
    /// The same for all attempts to deliver a notification.
    var notificationUUID: String
    var version = "2.0"
    var signedDate: Int64
    var data: NotificationData?
    var summary: NotificationSummary?
}

/// What a notification is about, with the keys of Apple's `Data`. Which version of the app the
/// customer uses is nothing that the store knows, so there is no `bundleVersion`.
struct NotificationData: Codable, Sendable, Hashable {
    var environment: String
    /// The app's number; nil in the sandbox.
    var appAppleId: Int64?
    var bundleId: String
    var signedTransactionInfo: String?
    var signedRenewalInfo: String?
    /// State of the subscription: 1 active, 2 expired, 3 in billing retry, 4 in billing grace, 5 revoked.
    /// Nil where the notification is not about a subscription.
    var status: Int?
    /// Why the customer wants their money back.
    var consumptionRequestReason: String?
}

/// How a request to extend many subscriptions ended, with the keys of Apple's `Summary`.
struct NotificationSummary: Codable, Sendable, Hashable {
    var environment: String
    /// The app's number; nil in the sandbox.
    var appAppleId: Int64?
    var bundleId: String
    var productId: String
    var requestIdentifier: String
    /// Countries as ISO 3166-1 alpha-3 codes; nil means all countries.
    var storefrontCountryCodes: [String]?
    var succeededCount: Int
    var failedCount: Int
}

/// What is posted to a publisher's server, as Apple's `ResponseBodyV2`.
struct NotificationBody: Codable, Sendable, Hashable {
    var signedPayload: String
}
