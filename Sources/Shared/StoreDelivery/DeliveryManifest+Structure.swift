import Foundation
import StoreModel

extension DeliveryManifest {
    /// So many chunks may all files have together, counting those again that occur again.
    private static let mostParts = 1 << 22

    /// Checks that the files of a manifest from outside agree with its blobs and one another.
    ///
    /// - Throws: `DeliveryError.manifest`.
    func checkStructure() throws {
        /// Bytes before each chunk, if all stood in a row.
        var starts: [Int64] = [0]
        for chunk in blobs.flatMap(\.chunks) {
            starts.append(starts[starts.count - 1] + Int64(chunk.unpackedLength))
        }
        var parts = 0
        var kinds: [ContentPath: Entry.Kind] = [:]
        var unpacked: Int64 = 0
        for entry in entries {
            guard kinds.updateValue(entry.kind, forKey: entry.path) == nil else {
                throw DeliveryError.manifest("\(entry.path) occurs twice")
            }
            switch entry.kind {
            case .directory: break
            case .link(let target):
                guard entry.path.resolving(link: target) != nil else {
                    throw DeliveryError.manifest("the link \(entry.path) leads out of the content")
                }
            case .file(let length, _, let chunks):
                guard length >= 0 else {
                    throw DeliveryError.manifest("the length of \(entry.path) is negative")
                }
                try Self.check(chunks, of: entry.path, length: length, starts)
                for range in chunks { parts += min(range.count, Self.mostParts) }
                guard parts <= Self.mostParts else {
                    throw DeliveryError.manifest(
                        "its files have more than \(Self.mostParts) chunks")
                }
                let (sum, overflow) = unpacked.addingReportingOverflow(length)
                guard !overflow else {
                    throw DeliveryError.manifest("its files are larger than any disk")
                }
                unpacked = sum
            }
        }
        try checkPlaces(kinds)
    }

    private static func check(
        _ chunks: [Range<Int>], of path: ContentPath, length: Int64, _ starts: [Int64]
    ) throws {
        var left = length
        for range in chunks {
            guard range.upperBound < starts.count else {
                throw DeliveryError.manifest("\(path) consists of chunks that there are not")
            }
            left -= starts[range.upperBound] - starts[range.lowerBound]
            guard left >= 0 else { break }
        }
        guard left == 0 else {
            throw DeliveryError.manifest("the chunks of \(path) don't add up to its length")
        }
    }

    /// What lies below a link would land where the link leads.
    private func checkPlaces(_ kinds: [ContentPath: Entry.Kind]) throws {
        var folders: Set<ContentPath> = []
        for entry in entries {
            var folder = entry.path.parent
            while let path = folder, folders.insert(path).inserted {
                guard kinds[path] ?? .directory == .directory else {
                    throw DeliveryError.manifest("\(entry.path) lies below \(path), no folder")
                }
                folder = path.parent
            }
        }
    }
}

extension DeliveryManifest {
    /// Whether everything that it lists is there with its size.
    package func isComplete(in folder: URL) -> Bool {
        entries.allSatisfy { entry in
            var status = stat()
            guard lstat(folder.appendingPathComponent(entry.path.text).path, &status) == 0 else {
                return false
            }
            guard case .file(let length, _, _) = entry.kind else { return true }
            return Int64(status.st_size) == length
        }
    }
}
