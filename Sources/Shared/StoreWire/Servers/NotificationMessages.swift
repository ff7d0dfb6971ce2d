/// What stands for a test notification that was asked for.
package struct SendTestNotificationResponse: Codable, Sendable, Hashable {
    package var testNotificationToken: String

    package init(testNotificationToken: String) {
        self.testNotificationToken = testNotificationToken
    }
}

/// A notification with what was tried to deliver it: a test, or one of a history.
package struct SentNotificationResponse: Codable, Sendable, Hashable {
    package struct Attempt: Codable, Sendable, Hashable {
        package var attemptDate: Int64
        package var sendAttemptResult: String

        package init(attemptDate: Int64, sendAttemptResult: String) {
            self.attemptDate = attemptDate
            self.sendAttemptResult = sendAttemptResult
        }
    }

    package var signedPayload: String
    package var sendAttempts: [Attempt]

    package init(signedPayload: String, sendAttempts: [Attempt]) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
    }
}

/// A page of what a publisher's server was told.
package struct NotificationHistoryResponse: Codable, Sendable, Hashable {
    /// Only where there is more.
    package var paginationToken: String?
    package var hasMore: Bool
    package var notificationHistory: [SentNotificationResponse]

    package init(
        paginationToken: String?, hasMore: Bool, notificationHistory: [SentNotificationResponse]
    ) {
        self.paginationToken = paginationToken
        self.hasMore = hasMore
        self.notificationHistory = notificationHistory
    }
}
