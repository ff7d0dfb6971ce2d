import Foundation
import StoreContent
import StoreCore
import StoreDelivery
import StoreKernel
import StoreModel
import StorePackage
import Synchronization

/// Makes versions of content out of uploaded packages, and deliveries out of the files of builds,
/// one after the other.
///
/// The work itself runs on a thread of its own; a second task says all the time that it is
/// alive. Whatever is broken off begins again, here or in another process.
package final class ContentProcessor: Sendable {
    private let store: Store
    private let processing: ProcessingService
    private let sleep: @Sendable (Duration) async throws -> Void
    /// libarchive and zstd keep tables on the stack.
    private let thread = BlockingPool("store-content", threads: 1, stackSize: 4 << 20)
    /// Names this processor among all others.
    private let holder = UUID().uuidString

    /// - Parameter sleep: waits between two signs of life.
    package init(
        store: Store,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.store = store
        self.processing = ProcessingService(
            database: store.database, clock: store.clock, rules: store.services.uploads.rules)
        self.sleep = sleep
    }

    /// Processes what waits, until nothing does or the task is cancelled.
    ///
    /// - Returns: how many packages were dealt with.
    @discardableResult
    package func processWaiting() async throws -> Int {
        var count = 0
        while !Task.isCancelled, let upload = try await processing.claim(as: holder) {
            await process(upload)
            count += 1
        }
        return count
    }

    private func process(_ upload: PackageUpload) async {
        store.log.write(
            .info, .contentProcessing,
            [
                "upload": upload.id.text, "product": upload.subject.product?.text ?? "",
                "build": upload.subject.build?.text ?? "", "attempt": "\(upload.attempts)",
            ])
        do {
            try await make(upload)
        } catch is ContentFilesMissing {
            try? await processing.giveBack(upload, by: holder, .filesMissing)
        } catch is CancellationError {
            // The store stops, or another process has the package now.
            try? await processing.giveBack(upload, by: holder, .stopping)
        } catch is OtherUploadFile {
            await refuseOtherFile(upload)
        } catch let error where Self.isOfPlace(error) {
            // Its own fault is none of the package's, however long it lasts.
            store.log.write(
                .error, .contentWaits,
                ["upload": upload.id.text, "reason": String(describing: error)])
            try? await processing.giveBack(upload, by: holder, .unreachable)
        } catch {
            store.log.write(
                .error, .contentFailed,
                ["upload": upload.id.text, "reason": String(describing: error)])
            try? await processing.giveBack(upload, by: holder, .failure)
        }
    }

    private func make(_ upload: PackageUpload) async throws {
        let result =
            switch upload.subject {
            case .product(let id): try await release(of: upload, id)
            case .build(let id): try await delivery(of: upload, id)
            }
        switch result {
        case .failure(let error):
            try await refuse(upload, error.problems.map(ContentProblem.init))
        case .success(let outcome):
            do {
                if try await processing.complete(
                    upload, by: holder, as: outcome, files: store.content)
                {
                    logReady(upload, outcome)
                    try await removeFiles(of: upload)
                }
            } catch let refusal as ContentRefusal {
                let path = upload.subject.product == nil ? "" : ContentInfo.fileName
                try await refuse(
                    upload,
                    [
                        ContentProblem(
                            path: path, rule: PackageProblem.Rule.information.rawValue,
                            advice: refusal.description)
                    ])
            }
        }
    }

    private func logReady(_ upload: PackageUpload, _ outcome: ProcessingService.Outcome) {
        switch outcome {
        case .release(let release):
            store.log.write(
                .info, .contentReady, ["upload": upload.id.text, "version": release.version.text])
        case .delivery(let delivery):
            store.log.write(
                .info, .contentReady,
                ["upload": upload.id.text, "format": delivery.format.rawValue]
            )
        }
    }

    private typealias Work = Result<ProcessingService.Outcome, PackageError>

    private func release(of upload: PackageUpload, _ product: ProductID) async throws -> Work {
        let earlier = try await store.database.read { repositories in
            try repositories.content.releases(of: product, in: upload.app)
        }
        let store = store
        let expectation = PackageExpectation(
            productID: product, newerThan: earlier.map(\.version).max(),
            fileName: upload.fileName)
        return try await process(upload) { file, progress in
            .release(
                try store.accept(
                    package: file, after: earlier, expecting: expectation,
                    progress: { progress.set($0) }, proceed: { try progress.proceed() }
                ).release)
        }
    }

    private func delivery(of upload: PackageUpload, _ build: AppBuildID) async throws -> Work {
        let found = try await store.database.read { repositories in
            let version = try repositories.appVersions.build(build).flatMap {
                try repositories.appVersions.version($0.version)
            }
            let others = try repositories.buildDeliveries.deliveries(of: upload.app)
            return (version: version, earlier: others.map(\.delivery.manifestDigest))
        }
        // Deleted meanwhile, and the upload with it.
        guard let version = found.version else { throw CancellationError() }
        let (store, now) = (store, store.clock.now())
        return try await process(upload) { file, progress in
            .delivery(
                try store.accept(
                    app: file, named: upload.fileName, digest: upload.digest,
                    of: upload.bundleID, version: version.version, after: found.earlier, at: now,
                    progress: { progress.set($0) }, proceed: { try progress.proceed() }))
        }
    }

    /// Works on an upload's whole file.
    private func process(
        _ upload: PackageUpload,
        _ work:
            @escaping @Sendable (URL, ProcessingProgress) throws -> ProcessingService.Outcome
    ) async throws -> Work {
        let progress = ProcessingProgress()
        let store = store
        return try await whileAlive(upload, progress) {
            let folder = try store.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = try store.uploadFiles.wholeFile(
                of: upload.id, digest: upload.digest, in: folder,
                proceed: { try progress.proceed() })
            do {
                return .success(try work(file, progress))
            } catch let error as PackageError {
                return .failure(error)
            }
        }
    }

    /// Whether the disk or the object store failed, and not the package.
    private static func isOfPlace(_ error: any Error) -> Bool {
        switch error {
        case is ContentBusy, is ContentStoreError, is UploadStoreError: true
        case let error as ObjectStoreError: error.isOfPlace
        case DeliveryError.diskFull, DeliveryError.file: true
        case let error as CocoaError where error.isFileError: true
        case let error as NSError: error.domain == NSPOSIXErrorDomain
        }
    }

    private func refuseOtherFile(_ upload: PackageUpload) async {
        let problem = ContentProblem(
            path: "", rule: "otherFile",
            advice: "the parts that arrived don't make the file whose digest was announced; "
                + "upload it again")
        do {
            try await refuse(upload, [problem])
        } catch {
            try? await processing.giveBack(upload, by: holder, .failure)
        }
    }

    private func refuse(_ upload: PackageUpload, _ problems: [ContentProblem]) async throws {
        guard try await processing.fail(upload, by: holder, problems: problems) else { return }
        store.log.write(
            .warning, .contentRefused,
            ["upload": upload.id.text, "problems": "\(problems.count)"])
        try await removeFiles(of: upload)
    }

    private func removeFiles(of upload: PackageUpload) async throws {
        let files = store.uploadFiles
        try await files.apart { try files.remove(upload.id) }
    }

    /// Runs the work on a thread of its own, and renews the lease meanwhile. The work is
    /// stopped where the lease is lost, or the task cancelled.
    private func whileAlive<Value: Sendable>(
        _ upload: PackageUpload, _ progress: ProcessingProgress,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let processing = processing
        let holder = holder
        let sleep = sleep
        let signs = Task {
            while !Task.isCancelled {
                try await sleep(.seconds(1))
                let isOurs = try? await processing.renew(
                    upload.id, by: holder, processed: progress.count)
                if isOurs == false { progress.stop() }
            }
        }
        // A sign that came later would change when a package is taken again that was given back.
        func end() async {
            signs.cancel()
            _ = await signs.result
        }
        do {
            let value = try await withTaskCancellationHandler {
                try await thread.run(leavesWhenCancelled: false, work)
            } onCancel: {
                progress.stop()
            }
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }
}

/// How far the work is, and whether it is to go on.
private final class ProcessingProgress: Sendable {
    private let state = Mutex((count: Int64(0), isStopped: false))

    var count: Int64 { state.withLock { $0.count } }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    func set(_ count: Int64) {
        state.withLock { $0.count = count }
    }

    /// - Throws: `CancellationError` where the work is to stop.
    func proceed() throws {
        if state.withLock({ $0.isStopped }) { throw CancellationError() }
    }
}

extension ContentProblem {
    init(_ problem: PackageProblem) {
        self.init(path: problem.path, rule: problem.rule.rawValue, advice: problem.advice)
    }
}
