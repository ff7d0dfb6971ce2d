import Synchronization

/// Identifiers of a session, the same with each run: what is random elsewhere is counted here.
final class CountedIdentifiers: Sendable {
    private let group: UInt32
    private let last = Mutex<UInt32>(0)

    /// - Parameter group: what they begin with. 0 has the orders that no app has made: see `TestShop`.
    init(group: UInt32) {
        self.group = group
    }

    func next() -> UUID {
        let number = last.withLock { last in
            last += 1
            return last
        }
        let (first, end) = (Self.bytes(group), Self.bytes(number))
        // Version 4, as those that are random.
        return UUID(
            uuid: (
                first[0], first[1], first[2], first[3], 0, 0, 0x40, 0, 0x80, 0, 0, 0, end[0],
                end[1],
                end[2], end[3]
            ))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }
}
