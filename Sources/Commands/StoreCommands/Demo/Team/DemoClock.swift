import Foundation
import StoreCore
import Synchronization

/// A clock of the past, which goes on by a second with each look at it.
///
/// Whatever is written with it has its own time, in the order in which it was done.
final class DemoClock: StoreClock {
    private let time: Mutex<Date>

    init(_ start: Date) {
        time = Mutex(start)
    }

    func now() -> Date {
        time.withLock { time in
            time += 1
            return time
        }
    }

    /// Goes on to a time; one that is past changes nothing.
    func advance(to date: Date) {
        time.withLock { $0 = max($0, date) }
    }
}

/// Random numbers that are the same in each demo (SplitMix64).
struct DemoRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `limit` - 1.
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// True in `percent` of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func uuid() -> UUID {
        let (high, low) = (next(), next())
        func byte(_ word: UInt64, _ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))
        }
        // Version 4, variant 1, as RFC 9562 has it for random ones.
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4),
                byte(high, 5), byte(high, 6) & 0x0f | 0x40, byte(high, 7),
                byte(low, 0) & 0x3f | 0x80, byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    /// 64 hexadecimal digits, as a SHA-256 checksum has them.
    mutating func digest() -> String {
        (0..<4).map { _ in
            let digits = String(next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
