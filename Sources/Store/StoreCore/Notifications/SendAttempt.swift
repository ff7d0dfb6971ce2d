import Foundation
import StoreDatabase

/// How an attempt ended. The names are those of the App Store Server API.
package enum SendResult: String, Sendable, Hashable, CaseIterable {
    case success = "SUCCESS"
    case timedOut = "TIMED_OUT"
    case tlsIssue = "TLS_ISSUE"
    case circularRedirect = "CIRCULAR_REDIRECT"
    case noResponse = "NO_RESPONSE"
    case socketIssue = "SOCKET_ISSUE"
    case unsupportedCharset = "UNSUPPORTED_CHARSET"
    case invalidResponse = "INVALID_RESPONSE"
    case prematureClose = "PREMATURE_CLOSE"
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"
}

/// What came of sending something to a publisher's server.
package struct SendOutcome: Sendable, Hashable {
    package var result: SendResult
    /// Of the answer; nil where there was none.
    package var status: Int?
    /// A sentence for people; empty for nothing to say.
    package var detail: String

    package init(_ result: SendResult, status: Int? = nil, detail: String = "") {
        self.result = result
        self.status = status
        self.detail = detail
    }
}

/// One attempt to deliver a notification.
package struct SendAttempt: Sendable, Hashable {
    package var date: Date
    package var url: String
    package var outcome: SendOutcome
    package var duration: Duration
    /// Whether somebody asked for it.
    package var isReplay: Bool
}

extension SendResult: TextColumnValue {}

extension SendOutcome: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        result = try column("result", \.result)
        status = try column("status", \.status)
        detail = try column("detail", \.detail)
    }
}

extension SendAttempt: Record {
    package static let table: StaticString = "notification_attempt"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        date = try column("date", \.date)
        url = try column("url", \.url)
        outcome = try column.part(\.outcome)
        duration = try column("milliseconds", \.duration)
        isReplay = try column("is_replay", \.isReplay)
    }
}
