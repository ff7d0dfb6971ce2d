import Foundation
import StoreModel

/// Which notifications are wanted.
package struct NotificationQuery: Sendable, Hashable {
    package var start: Date?
    /// The first instant that is not wanted.
    package var end: Date?
    package var type: NotificationType?
    package var subtype: NotificationSubtype?
    package var account: AccountID?
    /// Only what was sent and has not arrived, be it given up or not.
    package var onlyFailures = false

    package init() {}
}
