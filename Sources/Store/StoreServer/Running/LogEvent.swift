/// What the log of a store tells: the value of `event` in its lines.
///
/// The documentation of each case is its line in Documentation/Reference/LogMessages.md: what has
/// happened, and in a second paragraph what there is to do, where there is anything.
package enum LogEvent: String, Sendable, Hashable, CaseIterable {
    // MARK: The process

    /// The store has started, and accepts connections.
    case listening
    /// A signal has asked the store to stop; running requests are still answered.
    case stopping
    /// The store has stopped.
    case stopped
    /// A request was answered; the level is `error` where the status is 500 or more.
    ///
    /// Where the level is `error`, look for the line `request failed` with the same `request`.
    case request
    /// The store could not do what a request or a page asked for.
    ///
    /// Read `reason`. The client was told the same identifier as `request`.
    case requestFailed = "request failed"
    /// An earlier process was killed while it worked on this request, so nobody was answered.
    ///
    /// Find out what has ended the process. The client sends the request again by itself.
    case requestLost = "request lost when a process ended"

    // MARK: The clock and the store's own work

    /// The clock of the machine is far ahead of the last time known, or of the database's clock.
    /// Nothing is renewed, decided or deleted until it can be trusted.
    ///
    /// Set the clock of the machine, and that of the database's machine. If the clock is right,
    /// `openstore doctor --clock-is-right` says so.
    case clockDoubted = "the clock can't be trusted"
    /// The clock agrees again, and work that waited goes on.
    case clockTrusted = "the clock is trusted again"
    /// Work that the store does by itself has failed. It is tried again; the same reason is told
    /// once a minute at most.
    ///
    /// Read `reason`: often the database or the disk is away.
    case jobFailed = "job failed"
    /// Work that had failed before has succeeded.
    case jobRecovered = "job succeeded again"
    /// The daily ranking of the storefront's items was computed.
    case itemsRanked = "items ranked"
    /// Notifications that are too old to be shown were deleted.
    case notificationsForgotten = "old notifications deleted"
    /// An export of the partner feed was written.
    case feedExported = "partner feed exported"

    // MARK: Notifications

    /// A notification was sent to a publisher's server; the level is `warning` where the server
    /// did not accept it. It is sent again later.
    ///
    /// Where it goes on, tell the publisher; `openstore notification list` shows the attempts.
    case notification
    /// A notification can't be sent at all, and is not tried again by itself.
    ///
    /// Read `reason`; `openstore notification resend` sends it again.
    case notificationSetAside = "notification set aside"
    /// The outcome of an attempt could not be recorded, so the notification is sent once more.
    ///
    /// Look after the database.
    case attemptNotRecorded = "notification attempt not recorded"
    /// A notification could not be signed.
    ///
    /// Run `openstore certificate list` and `openstore doctor`.
    case notificationNotSigned = "notification not signed"

    // MARK: Content

    /// A package that was uploaded is being checked and cut into chunks.
    case contentProcessing = "processing content"
    /// A package was processed, and can be submitted.
    case contentReady = "content is ready"
    /// A package breaks the rules; its publisher reads which.
    case contentRefused = "content refused"
    /// Processing a package has failed. It is tried again, five times in all.
    ///
    /// Read `reason`.
    case contentFailed = "processing content failed"
    /// The object store does not answer, or the disk is full or fails, so a package waits.
    ///
    /// Look after the object store or the disk; nothing else is needed.
    case contentWaits = "content waits for its storage"
    /// Content that nobody can download any more was deleted.
    case contentCollected = "content deleted"
    /// Nothing was deleted, as the database has no team and may be that of another store.
    ///
    /// Where the store has teams, check `--database`.
    case contentKept = "no content deleted"
    /// Parts of uploads that were broken off could not be removed from the object store.
    ///
    /// Give the key the right to list and abort uploads in parts, or let a rule of the bucket
    /// do it.
    case partsLeft = "broken-off uploads not removed"
    /// A resized picture could not be kept; it was sent all the same.
    ///
    /// Look after the space and the rights of the folder `renditions`.
    case pictureNotKept = "picture not kept"

    // MARK: Certificates

    /// The store has issued a certificate to itself, because one ends soon or was revoked.
    case certificateIssued = "certificate issued"
    /// A certificate that ends soon could not be renewed.
    ///
    /// Read `reason`; bring the root's key to this machine where it is kept elsewhere.
    case certificateNotRenewed = "certificate not renewed"
    /// Clients are shown a new certificate.
    case certificateShown = "certificate replaced"
    /// The files of the certificate for TLS were replaced, and can't be used; clients are shown
    /// the one before.
    ///
    /// Read `reason`, and mend the files.
    case certificateNotShown = "certificate not replaced"
    /// The files of the certificate for TLS, which could not be used before, can be used.
    case certificateReadable = "certificate usable again"
    /// The interception has a new root certificate; the level is `warning` where it replaces one.
    ///
    /// Whoever trusted the root before has to be given the new one; `openstore intercept run`
    /// does that by itself.
    case interceptionRoot = "new root of the interception"
}
