import Foundation
import StoreModel

/// The retry schedule of webhooks, when a notification is sent again: as Apple's store does it.
package enum DeliveryRules {
    /// Hours between an attempt that failed and the next; there is none behind the last.
    package static let productionHours = [1, 12, 24, 48, 72]
    /// Seconds; more than between any two attempts.
    static let longestWait: TimeInterval = 3600 * TimeInterval((productionHours.max() ?? 0) + 1)
    /// An answer that has not come after so long is none.
    package static let timeout: Duration = .seconds(30)
    /// Whoever sends a notification has so long before somebody else may; longer than an attempt
    /// can take. It bounds how long one waits whose sender was killed.
    package static let lease: TimeInterval = 60

    /// Whether an answer's status means that the notification has arrived.
    package static func isSuccess(status: Int) -> Bool { (200...206).contains(status) }

    /// How a delivery stands after an attempt.
    package static func status(
        of status: NotificationStatus, after attempt: SendAttempt,
        in environment: StoreEnvironment, at date: Date
    ) -> NotificationStatus {
        var next = status
        let hasArrived = attempt.outcome.result == .success
        if attempt.isReplay {
            if status.isReplay {
                next.due = status.dueWithoutReplay
                next.isReplay = false
                next.dueWithoutReplay = nil
            }
            if hasArrived {
                next.state = .delivered
                next.due = nil
            }
            return next
        }
        next.attempts += 1
        // Two have sent it, as happens where a process was asleep for longer than its lease.
        guard status.state != .delivered else { return next }
        let due = hasArrived ? nil : retry(after: next.attempts, in: environment, at: date)
        next.state = hasArrived ? .delivered : due == nil ? .failed : .waiting
        if status.isReplay {
            next.dueWithoutReplay = due
        } else {
            next.due = due
        }
        return next
    }

    /// Until when the sender of an attempt has the notification, as long as nobody else took it.
    static func lease(of status: NotificationStatus, for attempt: SendAttempt) -> Date? {
        // Somebody may have asked for it once more while it was sent.
        status.isReplay && !attempt.isReplay ? status.dueWithoutReplay : status.due
    }

    /// The end of a lease that begins at a date, as databases keep it: in whole milliseconds.
    static func leaseEnd(from date: Date) -> Date {
        let seconds = date.timeIntervalSince1970 + lease
        return Date(timeIntervalSince1970: (seconds * 1000).rounded(.down) / 1000)
    }

    /// How a delivery stands when somebody asks for the notification once more.
    package static func replayed(_ status: NotificationStatus, at date: Date) -> NotificationStatus
    {
        guard !status.isReplay else { return status }
        var next = status
        next.isReplay = true
        next.dueWithoutReplay = status.due
        next.due = date
        return next
    }

    private static func retry(
        after attempts: Int, in environment: StoreEnvironment, at date: Date
    ) -> Date? {
        guard environment == .production, (1...productionHours.count).contains(attempts) else {
            return nil
        }
        return date.addingTimeInterval(TimeInterval(productionHours[attempts - 1]) * 3600)
    }
}
