import Foundation
import StoreCore
import StoreModel
import Synchronization

/// Which permissions to download were written down in the last hour, so that each version
/// costs one write an hour however many devices fetch it.
final class PermitNotes: Sendable {
    struct Key: Hashable {
        let app: AppID
        let product: ProductID
        let version: ContentVersion
    }

    /// Seconds; less than what `ContentKeeping.shortest` leaves beside the life of a grant.
    private static let interval: TimeInterval = 3600
    private static let capacity = 10_000

    private let noted = Mutex<[Key: Date]>([:])

    /// Whether the permission has to be written down.
    func isDue(_ key: Key, at now: Date) -> Bool {
        guard let last = noted.withLock({ $0[key] }) else { return true }
        return !(last...last.addingTimeInterval(Self.interval)).contains(now)
    }

    func note(_ key: Key, at now: Date) {
        noted.withLock { noted in
            if noted.count >= Self.capacity { noted.removeAll() }
            noted[key] = now
        }
    }
}
