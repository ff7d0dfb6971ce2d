/// Cuts bytes into chunks at places that the bytes themselves determine, so that an
/// insertion moves the cuts behind it instead of changing every chunk (content-defined chunking, for
/// deduplication).
///
/// FastCDC with normalized chunking (Xia et al., USENIX ATC 2016): a gear hash rolls over
/// the bytes, and a cut falls where its upper bits are zero; more of them have to be before
/// the average length than behind it. Devices never cut, so other sizes or another hash
/// cost nothing but what versions have in common.
package struct ContentCutter: Sendable {
    /// Bytes of the longest chunk.
    package static let standardMaximum = 64 << 10
    /// 4 KiB to 64 KiB, 16 KiB on average: an update costs about one chunk more for each
    /// place that changed; the first download sixteen bytes of a table for each chunk.
    package static let standard = ContentCutter(averageBits: 14)

    package let minimum: Int
    package let maximum: Int
    private let average: Int
    private let maskBefore: UInt64
    private let maskBehind: UInt64

    /// - Parameter averageBits: the logarithm of the average length, 6 to 15.
    package init(averageBits: Int) {
        precondition((6...15).contains(averageBits), "chunks have 64 bytes to 32 KiB on average")
        average = 1 << averageBits
        minimum = average / 4
        maximum = average * 4
        maskBefore = Self.upper(averageBits + 2)
        maskBehind = Self.upper(averageBits - 2)
    }

    /// The length of the first chunk of some bytes, all of them where there is no cut.
    ///
    /// The answer is final where there are `maximum` bytes or these are the last ones.
    package func firstChunk(of bytes: UnsafeRawBufferPointer) -> Int {
        let end = min(bytes.count, maximum)
        guard end > minimum else { return end }
        let middle = min(end, average)
        return gear.withUnsafeBufferPointer { gear in
            var hash: UInt64 = 0
            var index = minimum
            while index < middle {
                hash = (hash << 1) &+ gear[Int(bytes[index])]
                index += 1
                if hash & maskBefore == 0 { return index }
            }
            while index < end {
                hash = (hash << 1) &+ gear[Int(bytes[index])]
                index += 1
                if hash & maskBehind == 0 { return index }
            }
            return end
        }
    }

    private static func upper(_ bits: Int) -> UInt64 {
        ~UInt64(0) << UInt64(64 - bits)
    }
}

/// A number for each byte, without a pattern: SplitMix64 from a fixed start.
private let gear: [UInt64] = {
    var state: UInt64 = 0x4f70_656e_5374_6f72
    return (0..<256).map { _ in
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}()
