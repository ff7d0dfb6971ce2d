import Foundation
import StoreModel
import Synchronization

/// Unpacks a package into a folder of its own, several files at a time.
///
/// The folder appears in one step, when all of the package was checked, unpacked and is
/// on the disk. Nothing that exists is touched.
package struct PackageUnpacker: Sendable {
    private let file: URL
    private let limits: PackageLimits
    private let expectation: PackageExpectation
    private let readers: Int

    /// - Parameter readers: files that are unpacked at a time. Each reader holds the
    ///   package's table of contents in memory.
    package init(
        file: URL, limits: PackageLimits = .store, expectation: PackageExpectation = .init(),
        readers: Int = min(4, ProcessInfo.processInfo.activeProcessorCount)
    ) {
        self.file = file
        self.limits = limits
        self.expectation = expectation
        self.readers = max(1, readers)
    }

    /// - Parameter progress: hears of the bytes unpacked so far and of all bytes, from any
    ///   thread.
    /// - Returns: what the package holds.
    /// - Throws: `PackageError` with all problems; nothing is left of the folder then.
    @discardableResult
    package func unpack(
        to target: URL, progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) throws -> PackageReader.Summary {
        let reader = PackageReader(file: file, limits: limits, expectation: expectation)
        let package = try reader.open()
        let folder = try UnpackingFolder(for: target)
        do {
            let summary = try unpackFlat(package, into: folder, progress: progress)
            if let summary {
                try folder.finish()
                return summary
            }
        } catch let error as UnpackingError {
            throw error.reason
        }
        // Problems are all told at once, and payloads come as one stream: both by reading
        // from front to back.
        try folder.clear()
        var done: Int64 = 0
        let summary = try reader.read(progress: { progress($0, $1) }) { entry, contents in
            try folder.add(entry) { write in
                try contents.forEachPiece {
                    try write($0)
                    done += Int64($0.count)
                }
            }
        }
        try folder.finish()
        return summary
    }

    /// Unpacks a flat archive; gives nil where it is none, or not a good one.
    ///
    /// - Throws: `UnpackingError` where the folder can't be written.
    private func unpackFlat(
        _ package: PackageFile, into folder: UnpackingFolder,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) throws -> PackageReader.Summary? {
        guard package.size <= limits.packedBytes,
            let table = try? TableOfContents(of: package, limits: limits),
            table.findings.problems.isEmpty, table.findings.hardLinks == 0
        else { return nil }
        let work = SharedUnpacking(
            folder: folder, limits: limits, packedBytes: package.size,
            total: table.findings.unpackedBytes, progress: progress)
        DispatchQueue.concurrentPerform(iterations: readers) { _ in
            withUTF8Names {
                do {
                    let source = FileSource(package, head: table.neutralHeader)
                    try work.run(ArchiveReader(.xar, source: source), of: source)
                } catch {
                    work.fail(error)
                }
            }
        }
        let result = try work.result()
        guard let result, result.files == table.findings.files,
            let info = try? ContentInfo(propertyList: result.information),
            info.problems(expecting: expectation).isEmpty,
            result.entries.contains(where: { $0.path.components[0] == "Contents" })
        else { return nil }
        return PackageReader.Summary(
            info: info, entries: result.entries, packedBytes: package.size)
    }
}
