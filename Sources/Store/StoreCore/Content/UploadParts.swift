/// A file cut into parts of equal size; the last one may be smaller.
package struct UploadParts: Sendable, Hashable {
    /// Bytes of the whole file.
    package let size: Int64
    /// Bytes of each part but the last.
    package let partSize: Int64

    package init(size: Int64, partSize: Int64) {
        precondition(size > 0 && partSize > 0, "there are no parts of nothing")
        self.size = size
        self.partSize = partSize
    }

    package var count: Int { Int((size - 1) / partSize) + 1 }

    /// The bytes of a part; nil for a number that no part has.
    package func range(of number: Int) -> Range<Int64>? {
        guard (0..<count).contains(number) else { return nil }
        let start = Int64(number) * partSize
        return start..<min(size, start + partSize)
    }

    /// The numbers that are not among those that are there, as ranges in order.
    package func missing(without present: some Collection<Int>) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        var next = 0
        for number in Set(present).sorted() where (0..<count).contains(number) {
            if number > next { ranges.append(next...(number - 1)) }
            next = number + 1
        }
        if next < count { ranges.append(next...(count - 1)) }
        return ranges
    }

    /// How many bytes some parts have together.
    package func bytes(of present: some Collection<Int>) -> Int64 {
        Set(present).reduce(0) { $0 + Int64(range(of: $1)?.count ?? 0) }
    }
}
