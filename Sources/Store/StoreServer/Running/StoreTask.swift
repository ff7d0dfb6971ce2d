import StoreCore

/// Work that each process of a store does by itself, as log and metrics name it. Beside it there
/// are the jobs that one process does for all (`StoreJob`).
enum StoreTask: String, Sendable, Hashable, CaseIterable {
    /// Checks packages that were uploaded, and makes them ready for download.
    case processingContent = "processing_content"
    /// Begins the next period of subscriptions, and tries failed payments again.
    case renewingSubscriptions = "renewing_subscriptions"
    /// Makes subscriptions longer that a publisher's server has asked to extend together.
    case extendingSubscriptions = "extending_subscriptions"
    /// Decides on requests for refunds when the publisher's server has answered, or is late.
    case decidingOnRefunds = "deciding_on_refunds"
    /// Measures how fast publishers' servers answer about retention messages.
    case testingServers = "testing_servers"
    /// Takes away files that work which was broken off has left in this process's own folder.
    case cleaningTemporary = "cleaning_temporary"
    /// Renews certificates that end soon.
    case renewingCertificates = "renewing_certificates"
    /// Looks for notifications that are due; in the log only, as it goes on all the time.
    case sendingNotifications = "sending_notifications"
}

extension StoreJob {
    /// As log and metrics name it.
    var label: String { rawValue.lowercased() }
}
