import Foundation

/// Parameters of a statement in PostgreSQL's binary form.
struct PostgresParameters {
    /// The server's numbers for its types.
    let types: [UInt32]
    /// The types, two bits each.
    let signature: UInt128
    private let bytes: [[UInt8]?]

    /// - Throws: `SQLError` for a text with U+0000, which PostgreSQL can't keep, and for more
    ///   parameters than any statement has.
    init(_ values: [SQLValue]) throws {
        guard values.count <= 64 else {
            throw SQLError(code: .other, "a statement has 64 parameters at most")
        }
        var types: [UInt32] = []
        var signature: UInt128 = 0
        var bytes: [[UInt8]?] = []
        for (index, value) in values.enumerated() {
            let type: UInt128
            switch value {
            case .noInteger:
                type = 1
                types.append(20)
                bytes.append(nil)
            case .noText:
                type = 2
                types.append(25)
                bytes.append(nil)
            case .integer(let number):
                type = 1
                types.append(20)
                bytes.append(withUnsafeBytes(of: number.bigEndian) { Array($0) })
            case .text(let text):
                type = 2
                types.append(25)
                let utf8 = Array(text.utf8)
                guard !utf8.contains(0) else { throw Self.zeroCharacter }
                bytes.append(utf8)
            case .blob(let data):
                type = 3
                types.append(17)
                bytes.append(Array(data))
            }
            signature |= type << (2 * UInt128(index))
        }
        (self.types, self.signature, self.bytes) = (types, signature, bytes)
    }

    static let zeroCharacter = SQLError(
        code: .text, "a text has the character U+0000, which PostgreSQL can't keep")

    /// Calls with arrays as libpq takes them.
    func withPointers<Result>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        // One piece of memory holds all values; an empty one points at its end.
        let joined: [UInt8] = bytes.reduce(into: []) { $0 += $1 ?? [] } + [0]
        let lengths = bytes.map { Int32($0?.count ?? 0) } + [0]
        let formats = bytes.map { _ in Int32(1) } + [0]
        return joined.withUnsafeBytes { memory in
            var pointers: [UnsafePointer<CChar>?] = []
            var start = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
            for value in bytes {
                pointers.append(value == nil ? nil : start)
                start = start.map { $0 + (value?.count ?? 0) }
            }
            pointers.append(nil)
            return body(pointers, lengths, formats)
        }
    }
}
