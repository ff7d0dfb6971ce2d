/// What stands for a test notification that was asked for.
struct SendTestNotificationResponse: Codable, Sendable, Hashable {
    var testNotificationToken: String
}

/// A notification with what was tried to deliver it: a test, or one of a history.
struct SentNotificationResponse: Codable, Sendable, Hashable {
    struct Attempt: Codable, Sendable, Hashable {
        var attemptDate: Int64
        var sendAttemptResult: String
    }

    var signedPayload: String
    var sendAttempts: [Attempt]
}

/// A page of what a publisher's server was told.
struct NotificationHistoryResponse: Codable, Sendable, Hashable {
    /// Only where there is more.
    var paginationToken: String?
    var hasMore: Bool
    var notificationHistory: [SentNotificationResponse]
}
