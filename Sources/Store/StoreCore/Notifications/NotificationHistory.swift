import Foundation
import StoreModel

/// What a server asks of the notifications of its app, as it says it.
package struct NotificationHistoryRequest: Sendable, Hashable {
    package var start: Date?
    package var end: Date?
    package var type: String?
    package var subtype: String?
    /// Any transaction of the customer.
    package var transaction: String?
    package var onlyFailures: Bool

    package init(
        start: Date? = nil, end: Date? = nil, type: String? = nil, subtype: String? = nil,
        transaction: String? = nil, onlyFailures: Bool = false
    ) {
        self.start = start
        self.end = end
        self.type = type
        self.subtype = subtype
        self.transaction = transaction
        self.onlyFailures = onlyFailures
    }
}

/// Why a server gets no history of notifications.
package enum NotificationHistoryRefusal: Error, Sendable, Hashable {
    /// There is no start, or it is in the future.
    case invalidStart
    case invalidEnd
    /// More than 180 days ago.
    case startTooEarly
    case startNotBeforeEnd
    /// There is no such type or subtype, or they don't belong together.
    case invalidType
    /// A transaction and a type.
    case tooManyFilters
    case invalidTransaction
    case transactionNotFound
    /// Not made by this store, or for another request.
    case invalidToken
    case tokenExpired
}

/// Some notifications, the oldest first.
package struct NotificationHistoryPage: Sendable, Hashable {
    package let notifications: [SentNotification]
    /// Asks for those behind; nil where there are none.
    package let token: String?
}

/// The position of a publisher's server in a notification history, and the date when the cursor expires.
package struct NotificationHistoryCursor: Sendable, Hashable, Codable {
    package var app: Int64
    package var environment: StoreEnvironment
    /// The request that it belongs to.
    package var question: String
    /// Milliseconds since 1970.
    package var date: Int64
    package var id: Int64
    package var expiration: Int64

    package init(
        lane: AppScope, question: String, position: NotificationPosition, expiration: Date
    ) {
        self.app = lane.app.number
        self.environment = lane.environment
        self.question = question
        self.date = position.date.wholeMilliseconds
        self.id = position.id.number
        self.expiration = expiration.wholeMilliseconds
    }

    package var position: NotificationPosition {
        NotificationPosition(
            date: Date(timeIntervalSince1970: TimeInterval(date) / 1000),
            id: NotificationID(number: id))
    }
}

/// Makes tokens of cursors, which nobody else can make.
package protocol HistoryCursorSeal: Sendable {
    func token(for cursor: NotificationHistoryCursor) throws -> String
    /// Nil for a token that this store has not made.
    func cursor(of token: String) -> NotificationHistoryCursor?
}

extension NotificationHistoryRequest {
    /// Whoever writes a notification down dates it a moment before others can read it: seconds after
    /// which nothing older comes any more.
    package static let settling: TimeInterval = 5

    /// So far back servers can ask.
    package static let reach: TimeInterval = 180 * 86_400

    /// What is to be looked up, without the customer.
    ///
    /// - Parameters:
    ///   - latest: the date of the newest notification that there may be.
    ///   - isContinued: whether a page's token is there. The start may be further back then, by as much
    ///     as the token lives.
    /// - Throws: `NotificationHistoryRefusal`.
    func query(at now: Date, until latest: Date, isContinued: Bool) throws -> NotificationQuery {
        guard let start, start <= latest else { throw NotificationHistoryRefusal.invalidStart }
        guard let end else { throw NotificationHistoryRefusal.invalidEnd }
        guard start < end else { throw NotificationHistoryRefusal.startNotBeforeEnd }
        let reach = Self.reach + (isContinued ? NotificationService.tokenLife : 0)
        guard start >= now.addingTimeInterval(-reach) else {
            throw NotificationHistoryRefusal.startTooEarly
        }
        guard transaction == nil || (type == nil && subtype == nil) else {
            throw NotificationHistoryRefusal.tooManyFilters
        }
        var query = NotificationQuery()
        query.start = start
        query.end = end
        query.onlyFailures = onlyFailures
        if let type {
            guard let known = NotificationType(rawValue: type) else {
                throw NotificationHistoryRefusal.invalidType
            }
            query.type = known
        }
        if let subtype {
            guard let type = query.type, let known = NotificationSubtype(rawValue: subtype),
                type.subtypes.contains(known)
            else { throw NotificationHistoryRefusal.invalidType }
            query.subtype = known
        }
        return query
    }

    /// Text that is the same for the same request.
    var question: String {
        [
            start.map { String($0.wholeMilliseconds) }, end.map { String($0.wholeMilliseconds) },
            type,
            subtype, transaction, onlyFailures ? "failures" : nil,
        ].map { $0 ?? "" }.joined(separator: "/")
    }
}
