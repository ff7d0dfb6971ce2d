import Synchronization

/// Tells observers how far a download is, at most ten times a second, and once that all of it is
/// there.
final class ProgressMeter: Sendable {
    private struct Content {
        var rate = TransferRate()
        var lastTold: TimeInterval = -1
        /// What observers know: who starts a download tells them.
        var progress: Float
    }

    private let content: Mutex<Content>
    private let download: SKDownload
    private let updates: DownloadUpdates
    private let now: @Sendable () -> TimeInterval

    /// - Parameter now: seconds of a clock that only goes forward.
    init(
        download: SKDownload, updates: DownloadUpdates,
        now: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
    ) {
        content = Mutex(Content(progress: download.progress))
        self.download = download
        self.updates = updates
        self.now = now
    }

    func advance(to bytes: Int64, of total: Int64) {
        let now = now()
        let progress = total > 0 ? Float(Double(bytes) / Double(total)) : 1
        let remaining = content.withLock { content -> TimeInterval?? in
            guard progress == 1 || now - content.lastTold >= 0.1 else { return nil }
            let remaining = content.rate.advance(to: bytes, of: total, at: now)
            guard progress != content.progress else { return nil }
            content.lastTold = now
            content.progress = progress
            return .some(remaining)
        }
        guard let remaining else { return }
        updates.tell(download) { status in
            guard status.state == .active else { return false }
            status.progress = progress
            status.timeRemaining = remaining ?? SKDownloadTimeRemainingUnknown
            return true
        }
    }
}
