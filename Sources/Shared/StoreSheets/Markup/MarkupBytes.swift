/// The bytes of a document with their lines, read a piece at a time.
struct MarkupBytes {
    private let read: () throws -> [UInt8]
    private let limit: Int
    private var piece: [UInt8] = []
    private var index = 0
    private var before = 0
    /// The line of the next byte, counted from 1.
    private(set) var line = 1

    /// - Parameter read: gives the next bytes; none at the end.
    init(limit: Int, read: @escaping () throws -> [UInt8]) {
        self.read = read
        self.limit = limit
    }

    /// How many bytes were taken.
    var position: Int { before + index }

    /// The next byte as it stands there; nil at the end.
    mutating func peek() throws -> UInt8? {
        if index == piece.count {
            before += index
            index = 0
            piece = try read()
            guard before + piece.count <= limit else {
                throw failure("the file has more than \(limit >> 20) MB; split it")
            }
            if piece.isEmpty { return nil }
        }
        return piece[index]
    }

    /// Takes the next byte. A line ends with a line feed, whatever stood there (XML, 2.11).
    mutating func take() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        index += 1
        guard byte < 0x20 else { return byte }
        switch byte {
        case 0x0D:
            if try peek() == 0x0A { index += 1 }
            line += 1
            return 0x0A
        case 0x0A:
            line += 1
            return byte
        case 0x09: return byte
        case 0:
            throw failure("a NUL stands here; write the file in UTF-8, without control characters")
        default: throw failure("a control character stands here; take it out")
        }
    }

    /// Takes the next byte of what has not ended yet.
    mutating func need(_ what: String) throws -> UInt8 {
        guard let byte = try take() else { throw failure("the file ends inside \(what)") }
        return byte
    }

    mutating func skipSpace() throws {
        while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { _ = try take() }
    }

    func failure(_ problem: String) -> MarkupError { MarkupError(line: line, problem) }
}
