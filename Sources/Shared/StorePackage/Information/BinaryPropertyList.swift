import Foundation

/// Looks at a binary property list before Foundation reads it.
///
/// Its objects refer to one another by number. Foundation reads a list or dictionary
/// anew for each reference to it: where each of thirty lists holds the next one twice,
/// that takes a thousand million steps. Tools write each container once.
enum BinaryPropertyList {
    static let magic = Array("bplist".utf8)

    /// Whether no list or dictionary is referred to more than once.
    static func isTree(_ data: Data) -> Bool {
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
        /// The references of a container, and how many there are; nil for other objects.
        func references(of object: Int) -> (start: Int, count: Int)? {
            guard let offset = number(table + object * offsetSize, offsetSize),
                offset < bytes.count
            else { return nil }
            let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
            guard [0xa, 0xc, 0xd].contains(kind) else { return nil }
            var (start, length) = (offset + 1, low)
            if low == 15 {
                guard start < bytes.count, bytes[start] >> 4 == 1 else { return nil }
                let size = 1 << Int(bytes[start] & 15)
                guard size <= 8, let long = number(start + 1, size) else { return nil }
                (start, length) = (start + 1 + size, long)
            }
            return (start, kind == 0xd ? 2 * length : length)
        }
        var isReferred = [Bool](repeating: false, count: count)
        isReferred[top] = true
        // Each reference takes a byte at least.
        var total = 0
        for object in 0..<count {
            guard let list = references(of: object) else { continue }
            total += list.count
            guard total <= bytes.count else { return false }
            for index in 0..<list.count {
                guard
                    let other = number(list.start + index * referenceSize, referenceSize),
                    other < count
                else { return false }
                guard references(of: other) != nil else { continue }
                if isReferred[other] { return false }
                isReferred[other] = true
            }
        }
        return true
    }
}
