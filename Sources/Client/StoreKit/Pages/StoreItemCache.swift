import Synchronization

/// What the store said about items a moment ago: an app loads one before it is to be shown, and
/// again when it is.
final class StoreItemCache: Sendable {
    struct Key: Hashable, Sendable {
        let item: Int64
        let storefront: String
    }

    /// How long an answer is good.
    static let lifetime: TimeInterval = 60
    private static let capacity = 64

    private let kept = Mutex<[Key: (answer: StoreItemAnswer, end: Date)]>([:])
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    subscript(key: Key) -> StoreItemAnswer? {
        let time = now()
        return kept.withLock { kept in
            guard let found = kept[key], found.end > time,
                // The clock was set back.
                found.end <= time.addingTimeInterval(Self.lifetime)
            else { return nil }
            return found.answer
        }
    }

    func keep(_ answer: StoreItemAnswer, for key: Key) {
        let end = now().addingTimeInterval(Self.lifetime)
        kept.withLock { kept in
            if kept.count >= Self.capacity { kept.removeAll() }
            kept[key] = (answer, end)
        }
    }
}
