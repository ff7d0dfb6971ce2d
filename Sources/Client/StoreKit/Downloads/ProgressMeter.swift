import Synchronization

/// Tells observers how far a download is, at most ten times a second.
final class ProgressMeter: Sendable {
    private struct Content {
        var rate = TransferRate()
        var lastTold: TimeInterval = -1
    }

    private let content = Mutex(Content())
    private let download: SKDownload
    private let list: ObserverList
    private let now: @Sendable () -> TimeInterval

    /// - Parameter now: seconds of a clock that only goes forward.
    init(
        download: SKDownload, list: ObserverList,
        now: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
    ) {
        self.download = download
        self.list = list
        self.now = now
    }

    func advance(to bytes: Int64, of total: Int64) {
        let now = now()
        let remaining = content.withLock { content -> TimeInterval?? in
            guard now - content.lastTold >= 0.1 else { return nil }
            content.lastTold = now
            return .some(content.rate.advance(to: bytes, of: total, at: now))
        }
        guard let remaining else { return }
        let progress = total > 0 ? Float(Double(bytes) / Double(total)) : 1
        let download = download
        list.notify(
            after: {
                download.update { status in
                    guard status.state == .active else { return }
                    status.progress = progress
                    status.timeRemaining = remaining ?? SKDownloadTimeRemainingUnknown
                }
            }
        ) { observer, queue in
            observer.paymentQueue(queue, updatedDownloads: [download])
        }
    }
}
