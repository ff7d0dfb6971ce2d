import FoundationNetworking
import StoreDelivery
import StoreModel
import StoreSecurity
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
    private let list: ObserverList
    private let retry: RetryPolicy

    init(list: ObserverList, retry: RetryPolicy) {
        self.list = list
        self.retry = retry
    }

    /// Starts a download, or goes on with it. A running, finished or cancelled one stays
    /// as it is.
    func start(_ download: SKDownload, device: @escaping @Sendable () throws -> StoreDevice) {
        guard download.wire != nil, download.state != .finished, download.state != .cancelled
        else { return }
        let id = ObjectIdentifier(download)
        running.withLock { running in
            if running[id] != nil {
                if running[id]?.stop == .pause { running[id]?.restart = device }
                return
            }
            running[id] = Running(download: download)
            running[id]?.task = Task { await run(download, device: device) }
        }
    }

    /// Stops a download.
    func stop(
        _ download: SKDownload, for reason: Stop, device: () throws -> StoreDevice
    ) {
        let id = ObjectIdentifier(download)
        let task = running.withLock { running -> Task<Void, Never>? in
            guard running[id] != nil else { return nil }
            running[id]?.stop = reason
            running[id]?.restart = nil
            return running[id]?.task
        }
        if let task {
            task.cancel()
        } else if reason == .cancel, download.wire != nil, !download.isOver {
            if let device = try? device() { folder(of: download, device)?.remove() }
            tell(download) { $0.state = .cancelled }
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
            list.notify(after: { download.update { $0.contentURL = nil } }) { _, _ in }
        }
    }

    // MARK: One download

    private func run(
        _ download: SKDownload, device: @escaping @Sendable () throws -> StoreDevice
    ) async {
        tell(download) { status in
            status.state = .active
            status.error = nil
        }
        do {
            let folder = try await fetch(download, device: try device())
            ended(download)
            tell(download) { status in
                status.state = .finished
                status.progress = 1
                status.timeRemaining = 0
                status.contentURL = folder.content
            }
        } catch {
            let (stop, restart) = ended(download)
            switch stop {
            case .pause:
                tell(download) { status in
                    status.state = .paused
                    status.timeRemaining = SKDownloadTimeRemainingUnknown
                }
                if let restart { start(download, device: restart) }
            case .cancel:
                if let device = try? device() { folder(of: download, device)?.remove() }
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
        guard let id = TransactionID(download.transaction.transactionIdentifier ?? ""),
            let content = ProductID(download.contentIdentifier)
        else { return nil }
        return DownloadFolder(transaction: id, content: content, device: device)
    }

    private func fetch(_ download: SKDownload, device: StoreDevice) async throws -> DownloadFolder {
        guard let wire = download.wire, let folder = folder(of: download, device),
            let id = TransactionID(download.transaction.transactionIdentifier ?? "")
        else {
            throw SKError(
                .paymentInvalid, "Only downloads of a purchased, unfinished transaction can start.")
        }
        try folder.make()
        let meter = ProgressMeter(download: download, list: list)
        var failures = 0
        var lastLength: Int64 = -1
        while true {
            try Task.checkCancellation()
            do {
                let permit = try await permit(wire, id, device)
                let manifest = try await manifest(permit, folder, device)
                if folder.isComplete(manifest) { return folder }
                let blob = try PartialBlob(file: folder.blob, limit: permit.delivery.blobLength)
                if blob.length != lastLength { failures = 0 }
                lastLength = blob.length
                try await receive(blob, permit, device, meter)
                try assemble(manifest, blob, folder)
                return folder
            } catch let error where !Self.isFinal(error) && !Task.isCancelled {
                // Without progress it is tried a few times more; with progress for ever.
                failures += 1
                guard failures < retry.attempts else { throw error }
                device.log("A download was interrupted and goes on: \(error)")
                try await retry.sleep(retry.delay(after: failures - 1))
            }
        }
    }

    private struct Permit {
        let delivery: DeliveryPayload
        let grant: String
    }

    private func permit(
        _ wire: WireContent, _ id: TransactionID, _ device: StoreDevice
    ) async throws -> Permit {
        let wanted = DownloadRequest(
            contentIdentifier: wire.contentIdentifier, version: wire.version)
        let answer = try await device.withSession { session in
            try await device.client.download(wanted, of: id, session: session)
        }
        return Permit(
            delivery: try device.client.verified(answer.signedDelivery, for: id),
            grant: answer.grant)
    }

    /// The manifest that the store has signed for, from the cache or fetched.
    private func manifest(
        _ permit: Permit, _ folder: DownloadFolder, _ device: StoreDevice
    ) async throws -> DeliveryManifest {
        let digest = permit.delivery.manifestDigest
        var data = (try? Data(contentsOf: folder.manifest)) ?? Data()
        if SHA256Digest.hex(data) != digest.text {
            data = try await device.client.content(digest, grant: permit.grant)
            guard Int64(data.count) == permit.delivery.manifestLength,
                SHA256Digest.hex(data) == digest.text
            else {
                throw DeliveryError.damaged(path: "The manifest", offset: 0)
            }
            // Bytes of another version are of no use.
            try? FileManager.default.removeItem(at: folder.blob)
            try? FileManager.default.removeItem(at: folder.content)
            try data.write(to: folder.manifest, options: .atomic)
        }
        let manifest = try DeliveryManifest(encoded: data)
        guard manifest.blobDigest == permit.delivery.blobDigest,
            manifest.blobLength == permit.delivery.blobLength
        else { throw DeliveryError.manifest("it names another blob than the store has signed for") }
        return manifest
    }

    private func receive(
        _ blob: PartialBlob, _ permit: Permit, _ device: StoreDevice, _ meter: ProgressMeter
    ) async throws {
        let delivery = permit.delivery
        let total = delivery.manifestLength + delivery.blobLength
        meter.advance(to: delivery.manifestLength + blob.length, of: total)
        guard blob.length < delivery.blobLength else { return }
        try await device.client.content(
            delivery.blobDigest, from: blob.length, grant: permit.grant
        ) { data in
            let length = try blob.append(data)
            meter.advance(to: delivery.manifestLength + length, of: total)
        }
        guard blob.length == delivery.blobLength else { throw URLError(.networkConnectionLost) }
    }

    private func assemble(
        _ manifest: DeliveryManifest, _ blob: PartialBlob, _ folder: DownloadFolder
    ) throws {
        try? FileManager.default.removeItem(at: folder.content)
        do {
            try DeliveryAssembler(manifest: manifest).assemble(
                blob: folder.blob, into: folder.content)
        } catch DeliveryError.damaged(let path, let offset) {
            try blob.truncate(to: offset)
            throw DeliveryError.damaged(path: path, offset: offset)
        }
        try? FileManager.default.removeItem(at: folder.blob)
    }

    /// Whether trying again can't help.
    private static func isFinal(_ error: any Error) -> Bool {
        switch error {
        case let error as WireError:
            switch error.code {
            case .storeUnavailable, .internalError, .grantExpired, .notSignedIn: false
            default: true
            }
        case let error as URLError:
            error.code == .cancelled
        case DeliveryError.damaged: false
        default: true
        }
    }

    /// Changes what apps see of a download and tells observers.
    private func tell(
        _ download: SKDownload, _ change: @escaping @Sendable (inout SKDownload.Status) -> Void
    ) {
        list.notify(after: { download.update(change) }) { observer, queue in
            observer.paymentQueue(queue, updatedDownloads: [download])
        }
    }
}

extension SKDownload {
    /// Whether nothing more comes of it.
    fileprivate var isOver: Bool { state == .finished || state == .cancelled }
}

/// Tells observers how far a download is, at most ten times a second.
private final class ProgressMeter: Sendable {
    private struct Content {
        var rate = TransferRate()
        var lastTold: TimeInterval = -1
    }

    private let content = Mutex(Content())
    private let download: SKDownload
    private let list: ObserverList

    init(download: SKDownload, list: ObserverList) {
        self.download = download
        self.list = list
    }

    func advance(to bytes: Int64, of total: Int64) {
        let now = ProcessInfo.processInfo.systemUptime
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
