import Foundation
import StoreCore
import StoreKernel
import StoreModel
import Synchronization

/// Makes renditions of pictures, such as thumbnails, on threads of its own: one at a time of each original, few at a time of all,
/// and none for which too many wait already.
package final class PictureResizer: PictureMaker {
    private let folder: RenditionFolder
    private let threads: BlockingPool
    private let limit: Int
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        /// Who is at work, or waits.
        var admitted = 0
        /// Those who wait for somebody who works at the same original.
        var waiting: [ContentDigest: [CheckedContinuation<Entry, Never>]] = [:]
    }

    private enum Entry {
        case go
        /// Somebody was at work; what is wanted may be there now.
        case lookAgain
        case busy
    }

    /// - Parameters:
    ///   - workers: pictures that are read at a time; each may take 200 MB.
    ///   - waiting: how many may wait for them.
    ///   - report: hears of what the disk refuses.
    package init(
        folder: RenditionFolder, workers: Int = PictureResizer.standardWorkers,
        waiting: Int = 64, report: @escaping @Sendable (String) -> Void
    ) {
        self.folder = folder
        self.report = report
        threads = BlockingPool("pictures", threads: workers)
        limit = workers + waiting
    }

    package static let standardWorkers = max(
        1, min(4, ProcessInfo.processInfo.activeProcessorCount / 2))

    package func check(_ content: OpenContent) async throws -> ImageHeader {
        let file = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
        let isAdmitted = state.withLock { state in
            guard state.admitted < limit else { return false }
            state.admitted += 1
            return true
        }
        guard isAdmitted else { throw PicturesBusy() }
        defer { state.withLock { $0.admitted -= 1 } }
        return try await threads.run {
            let bytes = try file.readToEnd() ?? Data()
            let picture = try Picture(bytes)
            guard let header = ImageHeader(of: bytes) else { throw PictureProblem.unknownFormat }
            // As it is seen, which is not always as it lies in the file.
            return ImageHeader(
                format: header.format, width: picture.width, height: picture.height)
        }
    }

    package func rendition(
        _ size: PictureSize, of digest: ContentDigest,
        original: @escaping @Sendable () throws -> OpenContent?
    ) async throws -> MadePicture? {
        while true {
            if let kept = folder.open(size, of: digest) { return .file(kept) }
            switch await enter(digest) {
            case .busy: throw PicturesBusy()
            case .lookAgain: continue
            case .go:
                defer { leave(digest) }
                return try await threads.run { [self] in
                    try make(size, of: digest, original: original)
                }
            }
        }
    }

    private func make(
        _ size: PictureSize, of digest: ContentDigest,
        original: () throws -> OpenContent?
    ) throws -> MadePicture? {
        // Another process may have made it, or whoever was here before.
        if let kept = folder.open(size, of: digest) { return .file(kept) }
        guard let content = try original() else { return nil }
        let file = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
        let picture = try Picture(try file.readToEnd() ?? Data())
        let bytes = try picture.scaled(to: size).encoded(as: size.format)
        do {
            try folder.store(bytes, size, of: digest)
        } catch {
            report("a picture was not kept: \(error)")
        }
        return .bytes(bytes)
    }

    private func enter(_ digest: ContentDigest) async -> Entry {
        await withCheckedContinuation { continuation in
            let entry: Entry? = state.withLock { state in
                guard state.admitted < limit else { return .busy }
                state.admitted += 1
                guard state.waiting[digest] != nil else {
                    state.waiting[digest] = []
                    return .go
                }
                state.waiting[digest]?.append(continuation)
                return nil
            }
            if let entry { continuation.resume(returning: entry) }
        }
    }

    private func leave(_ digest: ContentDigest) {
        let others = state.withLock { state in
            let others = state.waiting.removeValue(forKey: digest) ?? []
            state.admitted -= 1 + others.count
            return others
        }
        for other in others { other.resume(returning: .lookAgain) }
    }
}
