import Foundation

/// The entries of an installer component's payload: a cpio archive, by rights compressed
/// with gzip, that is itself an entry of the package.
///
/// It is inflated and looked through as it streams by; no more than a piece of it is held.
final class PayloadSource: ArchiveSource {
    private static let pieceSize = 1 << 17

    private enum Form {
        case gzip(Inflater)
        case plain
    }

    private let outer: ArchiveReader
    private let scanner: PayloadScanner
    private var form: Form?
    /// Bytes of the payload that were not inflated yet.
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Parameter outer: stands at the payload's entry.
    init(_ outer: ArchiveReader, scanner: PayloadScanner) {
        self.outer = outer
        self.scanner = scanner
        buffer = .allocate(byteCount: Self.pieceSize, alignment: 16)
    }

    deinit { buffer.deallocate() }

    override func next() throws -> UnsafeRawBufferPointer {
        if form == nil { try begin() }
        let piece: UnsafeRawBufferPointer
        switch form {
        case .gzip(let inflater): piece = try inflated(by: inflater)
        default:
            piece = rest
            rest = UnsafeRawBufferPointer(start: nil, count: 0)
            if piece.isEmpty, let block = try outer.nextBlock() {
                try scanner.scan(block.bytes)
                return block.bytes
            }
        }
        try scanner.scan(piece)
        if piece.isEmpty { try scanner.finish() }
        return piece
    }

    /// Reads what the archive's reader left, so that all of it was checked.
    func finish() throws {
        while try !next().isEmpty {}
    }

    private func begin() throws {
        rest = try outer.nextBlock()?.bytes ?? rest
        // Blocks are as large as buffers, but for the last.
        if rest.starts(with: [0x1f, 0x8b]) {
            form = .gzip(Inflater(.gzip))
        } else if rest.starts(with: Array("0707".utf8)) {
            form = .plain
        } else {
            throw Self.unknownForm(
                rest.starts(with: Array("pbzx".utf8))
                    ? "is compressed as pbzx, which --compression legacy would prevent"
                    : rest.isEmpty ? "is empty" : "is no cpio archive, plain or in gzip")
        }
    }

    static func unknownForm(_ what: String) -> PackageError {
        PackageError(
            .layout, "the component's payload \(what); build the package again", path: "Payload")
    }

    private func inflated(by inflater: Inflater) throws -> UnsafeRawBufferPointer {
        while true {
            if rest.isEmpty {
                guard let block = try outer.nextBlock() else {
                    guard inflater.isAtEnd else { throw Self.damaged }
                    return rest
                }
                rest = block.bytes
            }
            // One stream of gzip may follow another (RFC 1952, 2.2).
            if inflater.isAtEnd { inflater.restart() }
            guard let step = inflater.inflate(rest, into: buffer) else { throw Self.damaged }
            rest = UnsafeRawBufferPointer(rebasing: rest[step.taken...])
            if step.made > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<step.made]) }
        }
    }

    private static var damaged: PackageError {
        PackageError(
            .readable, "the component's payload is damaged or cut short; build it again",
            path: "Payload")
    }
}
