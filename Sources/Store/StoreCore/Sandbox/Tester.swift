import Foundation
import StoreDatabase
import StoreModel

/// Somebody who tries apps out in the sandbox: an account there, and the team that made it.
///
/// What a tester was made with is neither shown again nor edited; territory and how the store
/// treats the purchases can be changed.
package struct Tester: Sendable, Hashable {
    package let account: AccountID
    package let team: Int64
    package let email: String
    /// Empty where a command on the store's machine made the tester.
    package let firstName: String
    package let lastName: String
    package let territory: Storefront
    package let renewalRate: SubscriptionRenewalRate
    package let settings: AccountSettings
    package let status: TesterStatus
    package let creationDate: Date
    /// When the purchase history was last cleared; nil for never.
    package let clearingDate: Date?

    /// First and last name, or the address where there are none.
    package var name: String {
        let parts = [firstName, lastName].filter { !$0.isEmpty }
        return parts.isEmpty ? email : parts.joined(separator: " ")
    }
}

/// A row of the view that has all of it.
extension Tester: Record {
    package static let table: StaticString = "tester_entry"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column("account", \.account, .key)
        team = try column("team", \.team)
        email = try column("email", \.email)
        firstName = try column("first_name", \.firstName)
        lastName = try column("last_name", \.lastName)
        territory = try column("storefront", \.territory)
        renewalRate = try column("renewal_rate", \.renewalRate)
        settings = try column.part(\.settings)
        status = try column("standing", \.status)
        creationDate = try column("created", \.creationDate)
        clearingDate = try column("cleared", \.clearingDate)
    }
}

/// How long a month lasts for a tester's subscriptions, as App Store Connect names it.
package enum SubscriptionRenewalRate: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case threeMinutes = "MONTHLY_RENEWAL_EVERY_THREE_MINUTES"
    case fiveMinutes = "MONTHLY_RENEWAL_EVERY_FIVE_MINUTES"
    case fifteenMinutes = "MONTHLY_RENEWAL_EVERY_FIFTEEN_MINUTES"
    case thirtyMinutes = "MONTHLY_RENEWAL_EVERY_THIRTY_MINUTES"
    case oneHour = "MONTHLY_RENEWAL_EVERY_ONE_HOUR"

    /// What a tester begins with.
    package static let standard: SubscriptionRenewalRate = .fiveMinutes

    /// For people.
    package var title: String {
        switch self {
        case .threeMinutes: "Every 3 minutes"
        case .fiveMinutes: "Every 5 minutes"
        case .fifteenMinutes: "Every 15 minutes"
        case .thirtyMinutes: "Every 30 minutes"
        case .oneHour: "Every hour"
        }
    }
}

/// What becomes of a tester's payments, so that an app's handling of failures can be tried.
package enum PaymentFailure: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    /// They go through.
    case none
    /// The next one is declined, and those behind it go through.
    case next
    /// Each one is declined.
    case all
}
