import Foundation
import StoreModel

/// By what sales are added up: by nothing, or by each combination of these.
package struct SalesGrouping: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let day = SalesGrouping(rawValue: 1)
    package static let product = SalesGrouping(rawValue: 2)
    package static let territory = SalesGrouping(rawValue: 4)
}

/// Which sales are asked for.
package struct SalesQuery: Sendable, Hashable {
    /// The longest time that one report is about, days.
    package static let longestRange = 366
    /// What is shown where nobody asks for another time, days.
    package static let standardRange = 30

    package var environment: StoreEnvironment
    /// Both ends are part of it.
    package var first: SalesDay
    package var last: SalesDay
    /// Nil for all apps.
    package var app: AppID?
    package var grouping: SalesGrouping

    /// - Throws: `ConnectRefusal` where the last day lies before the first, or too far behind.
    package init(
        environment: StoreEnvironment, first: SalesDay, last: SalesDay, app: AppID? = nil,
        grouping: SalesGrouping
    ) throws {
        guard first <= last else {
            throw ConnectRefusal(
                .invalid, rule: "salesRangeBackwards", field: "to",
                "\(last.text) lies before \(first.text).", help: "Swap the two days.")
        }
        guard last.number - first.number < Self.longestRange else {
            throw ConnectRefusal(
                .invalid, rule: "salesRangeTooLong", field: "to",
                "There are more than \(Self.longestRange) days from \(first.text) to "
                    + "\(last.text).",
                help: "Ask for \(Self.longestRange) days or fewer at once.")
        }
        self.environment = environment
        self.first = first
        self.last = last
        self.app = app
        self.grouping = grouping
    }
}
