import Synchronization

/// UUIDs that count up from 1, so that a session has the same ones in each run.
final class SequentialUUIDs: Sendable {
    private let group: UInt32
    private let last = Mutex<UInt32>(0)

    /// - Parameter group: the first four bytes of each. `TestShop` has group 0, for the orders that it
    ///   makes itself.
    init(group: UInt32) {
        self.group = group
    }

    func next() -> UUID {
        let number = last.withLock { last in
            last += 1
            return last
        }
        let (first, end) = (Self.bytes(group), Self.bytes(number))
        // Marked as version 4, as random UUIDs are.
        return UUID(
            uuid: (
                first[0], first[1], first[2], first[3], 0, 0, 0x40, 0, 0x80, 0, 0, 0, end[0],
                end[1], end[2], end[3]
            ))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }
}
