import Foundation

/// Random numbers that are the same for the same seed (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number from 0 to `limit` - 1.
    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    package mutating func uuid() -> UUID {
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes.storeBytes(of: next(), as: UInt64.self)
            bytes.storeBytes(of: next(), toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }

    /// True in `percent` of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// True in one of `count` cases.
    package mutating func once(in count: Int) -> Bool { below(count) == 0 }
}
