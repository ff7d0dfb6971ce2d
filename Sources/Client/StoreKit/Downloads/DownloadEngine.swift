import StoreModel
import StoreWire
import Synchronization

/// Fetches, verifies and unpacks hosted content.
final class DownloadEngine: Sendable {
    /// Why a download is asked to stop.
    enum Stop: Sendable {
        case pause
        case cancel
    }

    private struct Running {
        let download: SKDownload
        var task: Task<Void, Never>?
        var stop: Stop?
        /// Whether it is to run again once it has stopped.
        var restart: (@Sendable () throws -> StoreDevice)?
    }

    private let running = Mutex<[ObjectIdentifier: Running]>([:])
    private let updates: DownloadUpdates
    private let retry: RetryPolicy

    init(list: ObserverList, retry: RetryPolicy) {
        updates = DownloadUpdates(list: list)
        self.retry = retry
    }

    /// Starts downloads, or goes on with them. A running or finished one stays as it is, and so
    /// does a cancelled one: the log says so.
    func start(_ wanted: [SKDownload], device: @escaping @Sendable () throws -> StoreDevice) {
        for download in wanted { start(download, device: device) }
        updates.announce()
    }

    private func start(
        _ download: SKDownload, device: @escaping @Sendable () throws -> StoreDevice
    ) {
        guard download.wire != nil, download.state != .finished else { return }
        guard !download.isGivenUp else {
            let log = (try? device())?.log ?? OpenStore.writeLog
            return log(
                "The download of \(download.contentIdentifier) was cancelled, or its transaction was "
                    + "finished, so it does not start. Finish the transaction, and restore the "
                    + "purchase to download it.")
        }
        let id = ObjectIdentifier(download)
        running.withLock { running in
            if running[id] != nil {
                if running[id]?.stop == .pause { running[id]?.restart = device }
                return
            }
            running[id] = Running(download: download)
            // Before anything that the task tells.
            updates.add(download) { status in
                status.state = .active
                status.error = nil
                return true
            }
            running[id]?.task = Task { await run(download, device: device) }
        }
    }

    /// Takes up what the download agent was asked for by an earlier run of the app.
    ///
    /// What it has finished is finished before observers hear of the transaction.
    ///
    /// - Returns: downloads to go on with, and to tell of, behind their transactions.
    func recall(
        _ downloads: [SKDownload], device: StoreDevice
    ) -> (running: [SKDownload], finished: [SKDownload]) {
        var recalled: (running: [SKDownload], finished: [SKDownload]) = ([], [])
        for download in downloads where download.state == .waiting {
            guard let folder = folder(of: download, device) else { continue }
            if folder.isFinished {
                // From now on the app knows it: its next run starts it like any other.
                folder.endOrder()
                download.update { status in
                    status.state = .finished
                    status.progress = 1
                    status.timeRemaining = 0
                    status.contentURL = folder.files.content
                }
                recalled.finished.append(download)
            } else if folder.hasOrder {
                recalled.running.append(download)
            }
        }
        return recalled
    }

    /// Goes on with what was taken up, and tells of what was finished.
    func goOn(
        with recalled: (running: [SKDownload], finished: [SKDownload]),
        device: @escaping @Sendable () throws -> StoreDevice
    ) {
        for download in recalled.finished { updates.add(download) { $0.contentURL != nil } }
        start(recalled.running, device: device)
    }

    /// Stops a download.
    func stop(
        _ download: SKDownload, for reason: Stop, device: () throws -> StoreDevice
    ) {
        let id = ObjectIdentifier(download)
        if reason == .cancel { download.giveUp() }
        let task = running.withLock { running -> Task<Void, Never>? in
            guard running[id] != nil else { return nil }
            // What is cancelled stays so.
            if running[id]?.stop != .cancel { running[id]?.stop = reason }
            running[id]?.restart = nil
            return running[id]?.task
        }
        if let task {
            task.cancel()
        } else if reason == .cancel, download.wire != nil, !download.isOver {
            guard let device = try? device(), let folder = folder(of: download, device) else {
                return tell(download) { $0.state = .cancelled }
            }
            if folder.hasOrder, let agent = device.downloadAgent {
                folder.endOrder()
                Task {
                    await AgentDownload.release(folder, by: agent)
                    folder.files.remove()
                    tell(download) { $0.state = .cancelled }
                }
            } else {
                folder.files.remove()
                tell(download) { $0.state = .cancelled }
            }
        }
    }

    /// Cancels what runs or waits of some downloads, and waits until it has stopped: their
    /// transaction is finished.
    func end(_ downloads: [SKDownload], device: () throws -> StoreDevice) async {
        for download in downloads {
            let task = running.withLock { $0[ObjectIdentifier(download)]?.task }
            stop(download, for: .cancel, device: device)
            await task?.value
            // The files go with the transaction.
            updates.tell(download) { status in
                status.contentURL = nil
                return false
            }
            updates.forget(download)
        }
    }

    /// Tells the first observer of what has changed when there was none.
    func showUnheard() { updates.showUnheard() }

    // MARK: One download

    private func run(
        _ download: SKDownload, device: @escaping @Sendable () throws -> StoreDevice
    ) async {
        do {
            let folder = try await fetch(download, device: try device())
            guard ended(download).0 != .cancel else {
                folder.files.remove()
                return tell(download) { $0.state = .cancelled }
            }
            tell(download) { status in
                status.state = .finished
                status.progress = 1
                status.timeRemaining = 0
                status.contentURL = folder.files.content
            }
        } catch {
            let stop = running.withLock { $0[ObjectIdentifier(download)]?.stop }
            // Till the files are gone it counts as running.
            if stop == .cancel, let device = try? device() {
                folder(of: download, device)?.files.remove()
            }
            let (_, restart) = ended(download)
            switch stop {
            case .pause:
                tell(download) { status in
                    status.state = .paused
                    status.timeRemaining = SKDownloadTimeRemainingUnknown
                }
                if let restart { start([download], device: restart) }
            case .cancel:
                tell(download) { $0.state = .cancelled }
            case nil:
                let visible = visibleError(error)
                tell(download) { status in
                    status.state = .failed
                    status.error = visible
                    status.timeRemaining = SKDownloadTimeRemainingUnknown
                }
            }
        }
    }

    @discardableResult
    private func ended(
        _ download: SKDownload
    ) -> (Stop?, restart: (@Sendable () throws -> StoreDevice)?) {
        let last = running.withLock { $0.removeValue(forKey: ObjectIdentifier(download)) }
        return (last?.stop, last?.restart)
    }

    private func folder(of download: SKDownload, _ device: StoreDevice) -> DownloadFolder? {
        guard let id = download.transactionID,
            let content = ProductID(download.contentIdentifier)
        else { return nil }
        return DownloadFolder(transaction: id, content: content, device: device)
    }

    private func fetch(_ download: SKDownload, device: StoreDevice) async throws -> DownloadFolder {
        guard let wire = download.wire, let folder = folder(of: download, device),
            let id = download.transactionID
        else {
            throw SKError(
                .paymentInvalid, "Only downloads of a purchased, unfinished transaction can start.")
        }
        let grants = DownloadGrants(wire, of: id, device: device)
        let meter = ProgressMeter(download: download, updates: updates)
        let report: @Sendable (Int64, Int64) -> Void = { meter.advance(to: $0, of: $1) }
        if let agent = device.downloadAgent {
            let delegated = AgentDownload(
                folder: folder, agent: agent, device: device, transaction: id,
                content: DownloadRequest(
                    contentIdentifier: wire.contentIdentifier, version: wire.version),
                grants: grants, retry: retry, report: report)
            if try await delegated.run() { return folder }
        }
        // Of an earlier run of the app, which had an agent: that one may have been killed.
        folder.endOrder()
        device.downloadAgent?.forget(folder)
        let fetcher = ContentFetcher(
            folder: folder, client: device.client, grants: grants,
            libraries: InstalledContent.libraries(device), retry: retry, log: device.log,
            report: report)
        try await fetcher.run()
        return folder
    }

    /// Changes what apps see of a download and tells observers.
    private func tell(
        _ download: SKDownload, _ change: @escaping @Sendable (inout SKDownload.Status) -> Void
    ) {
        updates.tell(download) { status in
            change(&status)
            return true
        }
    }
}

extension SKDownload {
    /// Whether nothing more comes of it.
    fileprivate var isOver: Bool { state == .finished || state == .cancelled }
}
