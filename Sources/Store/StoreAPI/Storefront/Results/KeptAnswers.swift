import Synchronization

/// What was made of the storefront as it is, in bounded memory, and forgotten when the storefront
/// changes.
///
/// What is asked for again stays; what is not goes once half of the room is filled with newer
/// things.
final class KeptAnswers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Kept {
        var generation: Int64 = .min
        var recent: [Key: (value: Value, size: Int)] = [:]
        var older: [Key: (value: Value, size: Int)] = [:]
        /// Of the recent ones, bytes.
        var size = 0

        mutating func add(_ value: Value, size added: Int, for key: Key, halfRoom: Int) {
            if let previous = recent.updateValue((value, added), forKey: key) {
                size -= previous.size
            }
            size += added
            guard size > halfRoom else { return }
            older = recent
            recent = [:]
            size = 0
        }
    }

    private let kept = Mutex(Kept())
    private let room: Int

    /// - Parameter room: bytes of everything that is kept, about.
    init(room: Int) {
        self.room = room
    }

    /// What was kept at a generation of the storefront.
    func value(for key: Key, at generation: Int64) -> Value? {
        kept.withLock { kept in
            guard kept.generation == generation else { return nil }
            if let found = kept.recent[key] { return found.value }
            guard let found = kept.older.removeValue(forKey: key) else { return nil }
            kept.add(found.value, size: found.size, for: key, halfRoom: room / 2)
            return found.value
        }
    }

    /// Keeps a value.
    ///
    /// - Parameters:
    ///   - size: what it takes, in bytes, with its key.
    ///   - generation: of the storefront, from before the value was made.
    func keep(_ value: Value, size: Int, for key: Key, at generation: Int64) {
        guard size <= room / 8 else { return }
        kept.withLock { kept in
            guard generation >= kept.generation else { return }
            if generation > kept.generation { kept = Kept(generation: generation) }
            kept.add(value, size: size, for: key, halfRoom: room / 2)
        }
    }
}
