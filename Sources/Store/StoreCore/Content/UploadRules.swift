import Foundation
import StoreModel

/// What the store takes of uploads.
package struct UploadRules: Sendable, Hashable {
    /// Bytes of a part, at most what the server takes as a body.
    package var partSize: Int64 = 1 << 20
    /// Bytes of a package.
    package var largestFile: Int64 = PackageSize.largest
    /// How many packages of one team may be on their way at once.
    package var openUploads: Int = 16
    /// How long an upload may lie without anything happening to it, seconds.
    package var patience: TimeInterval = 7 * 86_400
    /// How long finished uploads are remembered, seconds.
    package var memory: TimeInterval = 30 * 86_400
    /// Bytes of the disk that uploads leave free.
    package var reserve: Int64 = 256 << 20
    /// What a team has on its way, and beside it wants to send, takes at most one part in so many
    /// of what is free. So do pictures, sounds and films that it replaces or deletes in a day
    /// (`MediaShare`). What it has stored has no share, so that a store of one team has the whole
    /// disk.
    package var teamShare: Int64 = 2
    /// How often the processing of a package may be broken off.
    package var attempts: Int = 5
    /// How long a process may work on a package without a sign of life, seconds.
    package var lease: TimeInterval = 15

    package static let store = UploadRules()

    /// A team's share of bytes that are free.
    func share(of free: Int64) -> Int64 { max(0, free - reserve) / max(1, teamShare) }

    /// Why an upload may not be begun; nil where it may.
    ///
    /// - Parameters:
    ///   - open: how many uploads of the team are on their way.
    ///   - ofTeam: bytes that these were announced with.
    ///   - promised: bytes that other uploads will still take up.
    ///   - free: bytes of the disk.
    package func refusal(
        of draft: UploadDraft, open: Int, ofTeam: Int64, promised: Int64, free: Int64
    ) -> UploadRefusal? {
        if let refusal = draft.subject.refusal(ofFile: draft.fileName) { return refusal }
        guard draft.size > 0 else { return .empty }
        guard draft.size <= largestFile else {
            return .tooLarge(draft.size, limit: largestFile)
        }
        guard open < openUploads else { return .tooMany(openUploads) }
        // The package, and what devices fetch, which is at most about as large.
        let (needed, isHuge) = draft.size.multipliedReportingOverflow(by: 2)
        let all = needed.clampedSum(promised).clampedSum(reserve)
        guard !isHuge, all <= free else { return .diskFull(needed: all, free: free) }
        // One package always may come; with further ones a team leaves room to the others.
        let share = share(of: free)
        guard open == 0 || needed.clampedSum(ofTeam.clampedProduct(2)) <= share else {
            return .shareUsed(ofTeam, share: share / 2)
        }
        return nil
    }
}

/// What the store refuses about uploads. Each says what to do.
package enum UploadRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case unknown(UploadID)
    case nameInvalid(endings: String)
    case empty
    case tooLarge(Int64, limit: Int64)
    case tooMany(Int)
    case diskFull(needed: Int64, free: Int64)
    /// The team has so many bytes on their way, and no room for these beside them.
    case shareUsed(Int64, share: Int64)
    /// The part has a number that none has, or another length.
    case noSuchPart(Int, count: Int)
    case partLength(Int, expected: Int)
    case missing([ClosedRange<Int>])
    /// All parts are there, but together they are another file.
    case otherFile
    /// It is beyond taking parts, or being deleted.
    case closed(UploadID, UploadState)
    /// Another process is at work on it.
    case busy(UploadID)

    package var description: String {
        switch self {
        case .unknown(let id):
            "There is no upload \(id), or not any longer. Begin another one."
        case .nameInvalid(let endings):
            "The file's name must end in \(endings), and be a name without a folder."
        case .empty: "The file is empty; build the package again."
        case .tooLarge(let size, let limit):
            "The file has \(size) bytes; at most \(limit) are taken."
        case .tooMany(let count):
            "The team has \(count) uploads on their way; finish or delete some first."
        case .diskFull(let needed, let free):
            "The store's disk has \(free) bytes left, but \(needed) are needed; ask the operator "
                + "to make space."
        case .shareUsed(let bytes, let share):
            "The team has \(bytes) bytes on their way; with this file there would be more than "
                + "\(share), its share of the store's disk. Finish or delete some first."
        case .noSuchPart(let number, let count):
            "There is no part \(number); the file has the parts 0 to \(count - 1)."
        case .partLength(let number, let expected):
            "Part \(number) must have \(expected) bytes."
        case .missing(let ranges):
            "Parts are missing: \(Self.list(ranges)). Send them, then commit again."
        case .otherFile:
            "The parts together are another file than was announced; all must be sent again."
        case .closed(let id, let state):
            "The upload \(id) is in the state \(state.rawValue) and can't be changed any more. "
                + "Begin another one for another file."
        case .busy(let id): "The upload \(id) is being looked at; try again in a moment."
        }
    }

    private static func list(_ ranges: [ClosedRange<Int>]) -> String {
        let shown = ranges.prefix(10).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        return shown.joined(separator: ", ") + (ranges.count > 10 ? ", …" : "")
    }
}
