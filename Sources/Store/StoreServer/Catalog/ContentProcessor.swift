import Foundation
import StoreContent
import StoreCore
import StoreModel
import StorePackage
import Synchronization

/// Makes versions of content out of uploaded packages, one after the other.
///
/// The work itself runs on a thread of its own; a second task says all the time that it is
/// alive. Whatever is broken off begins again, here or in another process.
package final class ContentProcessor: Sendable {
    private let store: Store
    private let processing: ProcessingService
    private let sleep: @Sendable (Duration) async throws -> Void
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

    private func process(_ upload: ContentUpload) async {
        let fields: KeyValuePairs = [
            "upload": upload.id.text, "product": upload.productID.text,
            "attempt": "\(upload.attempts)",
        ]
        store.log.write(.info, .contentProcessing, fields)
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

    private func make(_ upload: ContentUpload) async throws {
        let progress = ProcessingProgress()
        let earlier = try await store.database.read { repositories in
            try repositories.content.releases(of: upload.productID, in: upload.app)
        }
        let store = store
        let expectation = PackageExpectation(
            productID: upload.productID, newerThan: earlier.map(\.version).max(),
            fileName: upload.fileName)
        let result: Result<ContentRelease, PackageError>
        result = try await whileAlive(upload, progress) {
            let folder = try store.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = try store.uploadFiles.wholeFile(
                of: upload.id, digest: upload.digest, in: folder,
                proceed: { try progress.proceed() })
            do {
                let accepted = try store.accept(
                    package: file, after: earlier, expecting: expectation,
                    progress: { progress.set($0) }, proceed: { try progress.proceed() })
                return .success(accepted.release)
            } catch let error as PackageError {
                return .failure(error)
            }
        }
        switch result {
        case .failure(let error):
            try await refuse(upload, error.problems.map(ContentProblem.init))
        case .success(let release):
            do {
                if try await processing.complete(
                    upload, by: holder, release: release, files: store.content)
                {
                    store.log.write(
                        .info, .contentReady,
                        ["upload": upload.id.text, "version": release.version.text])
                    try await removeFiles(of: upload)
                }
            } catch let refusal as ContentRefusal {
                try await refuse(
                    upload,
                    [
                        ContentProblem(
                            path: ContentInfo.fileName,
                            rule: PackageProblem.Rule.information.rawValue,
                            advice: refusal.description)
                    ])
            }
        }
    }

    private static func isOfPlace(_ error: any Error) -> Bool {
        error is ContentBusy || (error as? ObjectStoreError)?.isOfPlace ?? false
    }

    private func refuseOtherFile(_ upload: ContentUpload) async {
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

    private func refuse(_ upload: ContentUpload, _ problems: [ContentProblem]) async throws {
        guard try await processing.fail(upload, by: holder, problems: problems) else { return }
        store.log.write(
            .warning, .contentRefused,
            ["upload": upload.id.text, "problems": "\(problems.count)"])
        try await removeFiles(of: upload)
    }

    private func removeFiles(of upload: ContentUpload) async throws {
        let files = store.uploadFiles
        try await files.apart { try files.remove(upload.id) }
    }

    /// Runs the work on a thread of its own, and renews the lease meanwhile. The work is
    /// stopped where the lease is lost, or the task cancelled.
    private func whileAlive<Value: Sendable>(
        _ upload: ContentUpload, _ progress: ProcessingProgress,
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
        defer { signs.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread { continuation.resume(with: Result { try work() }) }
                thread.name = "store-content"
                // libarchive and zstd keep tables on the stack.
                thread.stackSize = 4 << 20
                thread.start()
            }
        } onCancel: {
            progress.stop()
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
