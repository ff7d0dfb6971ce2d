import Foundation
import Synchronization

/// What several readers of one package do together: each goes through all headers, and
/// unpacks the entries that no other has claimed before.
final class SharedUnpacking: Sendable {
    /// What was unpacked.
    struct Result: Sendable {
        var entries: [PackageEntry]
        var information: Data
        /// Entries of the archive.
        var files: Int
    }

    /// A claim to one entry, once it was checked.
    private enum Claim {
        case unpack(PackageEntry)
        case nothing
        /// Another reader has it, or it needs no contents.
        case pass
    }

    private struct State {
        let rules: PackageRules
        var claimed = 0
        var entries: [PackageEntry] = []
        var information: Data?
        var isRefused = false
        var failure: UnpackingError?
        var done: Int64 = 0
    }

    private let state: Mutex<State>
    private let folder: UnpackingFolder
    private let limits: PackageLimits
    private let total: Int64
    private let progress: @Sendable (Int64, Int64) -> Void

    init(
        folder: UnpackingFolder, limits: PackageLimits, packedBytes: Int64, total: Int64,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) {
        self.folder = folder
        self.limits = limits
        self.total = total
        self.progress = progress
        state = Mutex(State(rules: PackageRules(limits: limits, packedBytes: packedBytes)))
    }

    /// Goes through the package with one reader, on the calling thread.
    func run(_ reader: ArchiveReader, of source: FileSource) throws {
        var index = 0
        while true {
            let header: ArchiveHeader
            switch try reader.next() {
            case .end: return
            case .damaged: return refuse()
            case .entry(let next): header = next
            }
            switch try claim(index, header) {
            case .nothing: return
            case .pass: break
            case .unpack(let entry):
                let contents = PackageContents(of: entry, in: reader, limits: limits) {
                    source.position
                }
                guard try unpack(entry, contents) else { return refuse() }
            }
            index += 1
        }
    }

    /// What was unpacked; nil where the package was refused.
    ///
    /// - Throws: `UnpackingError` where it could not be written.
    func result() throws -> Result? {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard !state.isRefused, state.rules.problems.isEmpty,
                let information = state.information
            else { return nil }
            return Result(
                entries: state.entries, information: information, files: state.claimed)
        }
    }

    /// Ends the work of all readers.
    func fail(_ error: any Error) {
        state.withLock { state in
            state.isRefused = true
            if let error = error as? UnpackingError { state.failure = error }
        }
    }

    private func refuse() {
        state.withLock { $0.isRefused = true }
    }

    /// Claims happen in the order of the entries, so that folders are there before what
    /// lies in them.
    private func claim(_ index: Int, _ header: ArchiveHeader) throws -> Claim {
        try state.withLock { state in
            guard !state.isRefused else { return .nothing }
            guard index == state.claimed else { return .pass }
            state.claimed += 1
            let entry = try state.rules.admit(header)
            guard let entry, state.rules.problems.isEmpty else {
                state.isRefused = true
                return .nothing
            }
            if entry.path.text == ContentInfo.fileName, entry.size > ContentInfo.sizeLimit {
                state.isRefused = true
                return .nothing
            }
            state.entries.append(entry)
            guard entry.kind == .file else {
                try folder.add(entry) { _ in }
                return .pass
            }
            return .unpack(entry)
        }
    }

    private func unpack(_ entry: PackageEntry, _ contents: PackageContents) throws -> Bool {
        let isInformation = entry.path.text == ContentInfo.fileName
        var information = Data()
        do {
            try folder.add(entry) { write in
                try contents.forEachPiece { piece in
                    try write(piece)
                    if isInformation { information.append(contentsOf: piece) }
                    tell(Int64(piece.count))
                }
            }
        } catch let error as PackageError where contents.failure != nil {
            _ = error
            return false
        }
        if isInformation {
            let information = information
            state.withLock { $0.information = information }
        }
        return contents.executable == nil
    }

    private func tell(_ count: Int64) {
        let done = state.withLock { state in
            state.done += count
            return state.done
        }
        progress(done, max(total, done))
    }
}
