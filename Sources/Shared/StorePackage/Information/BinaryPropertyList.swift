import Foundation

/// Looks at a binary property list before Foundation reads it.
///
/// Its objects refer to one another by number. Foundation reads a list or dictionary
/// anew for each reference to it: where each of thirty lists holds the next one twice,
/// that takes a thousand million steps. And it crashes over sets, which no property list
/// holds. Tools write each container once, and only what XML has too.
enum BinaryPropertyList {
    static let magic = Array("bplist".utf8)

    /// Whether it has only what XML has too, with strings for keys, and refers to no list
    /// or dictionary more than once.
    static func isPlain(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        guard bytes.count >= 40 else { return false }
        /// A number of `count` bytes; nil where it lies outside or is out of all proportion.
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, count >= 1, count <= 8, offset + count <= bytes.count else {
                return nil
            }
            let value = bytes[offset..<(offset + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return value <= UInt64(bytes.count) ? Int(value) : nil
        }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        guard let count = number(trailer + 8, 8), let top = number(trailer + 16, 8),
            let table = number(trailer + 24, 8), top < count
        else { return false }
        func marker(of object: Int) -> (kind: UInt8, low: Int, offset: Int)? {
            guard let offset = number(table + object * offsetSize, offsetSize),
                offset < trailer
            else { return nil }
            return (bytes[offset] >> 4, Int(bytes[offset] & 15), offset)
        }
        /// Where a container's references begin, and how many there are; nil where it is cut
        /// short.
        func references(_ low: Int, _ offset: Int) -> (start: Int, count: Int)? {
            guard low == 15 else { return (offset + 1, low) }
            guard offset + 1 < trailer, bytes[offset + 1] >> 4 == 1 else { return nil }
            let size = 1 << Int(bytes[offset + 1] & 15)
            guard size <= 8, let count = number(offset + 2, size) else { return nil }
            return (offset + 2 + size, count)
        }
        var isReferred = [Bool](repeating: false, count: count)
        isReferred[top] = true
        // Each reference takes a byte at least.
        var total = 0
        for object in 0..<count {
            guard let (kind, low, offset) = marker(of: object) else { return false }
            switch kind {
            case 0 where low == 8 || low == 9, 1...6: continue
            case 0xa, 0xd: break
            default: return false
            }
            guard let list = references(low, offset) else { return false }
            total += list.count
            guard total <= bytes.count else { return false }
            for index in 0..<(kind == 0xd ? 2 * list.count : list.count) {
                guard let other = number(list.start + index * referenceSize, referenceSize),
                    other < count, let (target, _, _) = marker(of: other)
                else { return false }
                if kind == 0xd, index < list.count, target != 5, target != 6 {
                    return false
                }
                guard target >= 0xa else { continue }
                if isReferred[other] { return false }
                isReferred[other] = true
            }
        }
        return true
    }
}
