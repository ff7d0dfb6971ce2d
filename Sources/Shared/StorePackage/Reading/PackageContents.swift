import Foundation

/// The bytes of one file of a package, in order.
package final class PackageContents {
    private enum Origin {
        case archive(ArchiveReader, PackageEntry, PackageLimits, position: () -> Int64)
        case data(Data)
        case file(PackageFile)
    }

    private let origin: Origin
    private var seen: Int64 = 0
    /// The first bytes, which may arrive one at a time.
    private var start = Data()
    private var isDone = false
    /// What was wrong with the contents; nil where an error is the caller's own.
    private(set) var failure: Failure?

    enum Failure {
        case damage(String)
        case bomb
    }

    /// Whether there are bytes left that nobody will read.
    private(set) var isAbandoned = false

    /// What kind of executable code it is, once it was read to its end; nil for none.
    private(set) var executable: String?

    /// - Parameter position: bytes of the package read so far.
    init(
        of entry: PackageEntry, in reader: ArchiveReader, limits: PackageLimits,
        position: @escaping () -> Int64
    ) {
        origin = .archive(reader, entry, limits, position: position)
    }

    private init(_ data: Data) {
        origin = .data(data)
    }

    /// The bytes of a package that is one file.
    init(_ file: PackageFile) {
        origin = .file(file)
    }

    /// The contents of what is no file.
    static var none: PackageContents { PackageContents(Data()) }

    /// Contents that were read already.
    static func bytes(_ data: Data) -> PackageContents { PackageContents(data) }

    /// Calls `body` with each piece until the end of the file.
    ///
    /// - Throws: `PackageError` where the file is damaged; whatever `body` throws.
    package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        switch origin {
        case .data(let data): try data.withUnsafeBytes(body)
        case .file(let file):
            let source = FileSource(file)
            while true {
                let piece = try source.next()
                guard !piece.isEmpty else { return }
                try body(piece)
            }
        case .archive(let reader, let entry, let limits, let position):
            guard !isDone else { return }
            isDone = true
            let before = position()
            while let piece = try next(of: reader, entry) {
                // Some bytes may have been read ahead before.
                if limits.isBomb(seen, from: position() - before + FileSource.pieceSize) {
                    failure = .bomb
                    isAbandoned = true
                    throw PackageError(.limits, limits.bombAdvice, path: entry.path.text)
                }
                try body(piece)
            }
            guard seen == entry.size else {
                throw damage("it is shorter than the package says; build the package again")
            }
            executable = ExecutableMark.kind(of: start)
        }
    }

    private func next(
        of reader: ArchiveReader, _ entry: PackageEntry
    ) throws -> UnsafeRawBufferPointer? {
        let block: (bytes: UnsafeRawBufferPointer, offset: Int64)?
        do { block = try reader.nextBlock() } catch let error as PackageError {
            throw damage(error.problems[0].advice)
        }
        guard let (bytes, offset) = block else { return nil }
        guard offset == seen else {
            isAbandoned = true
            throw damage("the file has holes; build the package again")
        }
        start.append(contentsOf: bytes.prefix(ExecutableMark.length - start.count))
        seen += Int64(bytes.count)
        guard seen <= entry.size else {
            isAbandoned = true
            throw damage("it is longer than the package says; build the package again")
        }
        return bytes
    }

    private func damage(_ advice: String) -> PackageError {
        failure = .damage(advice)
        guard case .archive(_, let entry, _, _) = origin else {
            return PackageError(.readable, advice)
        }
        return PackageError(.readable, advice, path: entry.path.text)
    }

    /// All bytes of a small file.
    func all() throws -> Data {
        var data = Data()
        try forEachPiece { data.append(contentsOf: $0) }
        return data
    }

    /// Reads what the visitor left.
    func finish() throws {
        try forEachPiece { _ in }
    }
}
