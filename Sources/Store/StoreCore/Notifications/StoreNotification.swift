import Foundation
import StoreDatabase
import StoreModel

/// The number of a notification; later ones have larger ones.
package typealias NotificationID = ID<StoreNotification>

/// What was so when a notification was written: the rest is in the ledger, and never changes.
package struct NotificationFacts: Sendable, Hashable, Codable {
    package var transaction: TransactionFacts?
    package var renewal: RenewalInformation?
    /// Why a customer wants their money back.
    package var consumptionReason: String?
    package var summary: ExtensionSummary?
}

/// How a request to extend many subscriptions ended.
package struct ExtensionSummary: Sendable, Hashable, Codable {
    package var request: String
    package var product: String
    package var storefronts: [String]
    package var succeeded: Int
    package var failed: Int

    package init(_ extension: MassExtension) {
        self.request = `extension`.request
        self.product = `extension`.product.text
        self.storefronts = `extension`.storefronts ?? []
        self.succeeded = `extension`.succeeded
        self.failed = `extension`.failed
    }
}

/// Something that a publisher's server is to hear.
package struct NotificationDraft: Sendable, Hashable {
    package var app: AppID
    package var environment: StoreEnvironment
    package var type: NotificationType
    package var subtype: NotificationSubtype?
    package var account: AccountID?
    package var transaction: TransactionID?
    package var facts: NotificationFacts = NotificationFacts()
}

/// How the delivery of a notification stands.
package struct NotificationStatus: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// To be sent, or sent again.
        case waiting
        case delivered
        /// Given up.
        case failed
    }

    package var state: State = .waiting
    /// How often it was sent by itself.
    package var attempts: Int = 0
    /// When it is sent next; nil for never.
    package var due: Date?
    /// Whether it is sent next because somebody asked for it.
    package var isReplay: Bool = false
    /// When it would be sent next without that.
    package var dueWithoutReplay: Date?
}

/// A notification as it was written down, and how its delivery stands.
package struct StoreNotification: Sendable, Hashable {
    package let id: NotificationID
    /// A UUID in small letters: the same for all attempts.
    package let uuid: String
    package let details: NotificationDraft
    package let date: Date
    package let status: NotificationStatus

    /// Whose server it is for.
    package var lane: AppScope {
        AppScope(app: details.app, environment: details.environment)
    }

    package var position: NotificationPosition { NotificationPosition(date: date, id: id) }
}
extension NotificationType: TextColumnValue {}
extension NotificationSubtype: TextColumnValue {}
extension NotificationStatus.State: TextColumnValue {}

extension NotificationDraft: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        app = try column("app", \.app)
        environment = try column("environment", \.environment)
        type = try column("type", \.type)
        subtype = try column("subtype", \.subtype)
        account = try column("account", \.account)
        transaction = try column("transaction_id", \.transaction)
        facts = try column.json("facts", \.facts, sample: NotificationFacts())
    }
}

extension NotificationStatus: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        state = try column("state", \.state)
        attempts = try column("attempts", \.attempts)
        due = try column("due", \.due)
        isReplay = try column("is_replay", \.isReplay)
        dueWithoutReplay = try column("due_without", \.dueWithoutReplay)
    }
}

extension StoreNotification: Record {
    package static let table: StaticString = "notification"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        uuid = try column("uuid", \.uuid)
        details = try column.part(\.details)
        date = try column("date", \.date)
        status = try column.part(\.status)
    }
}

/// A place in a list of notifications.
package struct NotificationPosition: Sendable, Hashable {
    package let date: Date
    package let id: NotificationID
}

extension NotificationPosition: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        date = try column("date", \.date)
        id = try column("id", \.id)
    }
}
