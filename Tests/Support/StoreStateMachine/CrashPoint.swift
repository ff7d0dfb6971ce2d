import StoreTestSupport

/// Where in the midst of something a launch of the app ends.
enum CrashPoint: Sendable, CustomStringConvertible {
    /// A part of what is appended to the journal, in percent: 0 for nothing, 100 for all.
    case append(percent: Int)
    /// Before the journal is replaced, or after.
    case replace(isAfter: Bool)
    /// Before a request is sent, or after.
    case send(isAfter: Bool)
    /// In a callback, before the app has taken in what it says or after.
    case callback(isAfter: Bool)
    /// When a loop over `Transaction.updates` has a transaction, before the app has taken it in;
    /// perhaps only one that was revoked.
    case update(isRevoked: Bool)

    var description: String {
        switch self {
        case .append(let percent): "append \(percent)%"
        case .replace(let isAfter): "replace \(isAfter ? "after" : "before")"
        case .send(let isAfter): "send \(isAfter ? "after" : "before")"
        case .callback(let isAfter): "callback \(isAfter ? "after" : "before")"
        case .update(let isRevoked): "update\(isRevoked ? " of what was revoked" : "")"
        }
    }

    /// - Parameter usesUpdates: whether the app loops over updates.
    static func random(_ random: inout SeededRandom, usesUpdates: Bool) -> CrashPoint {
        switch random.below(usesUpdates ? 11 : 8) {
        case 0: .append(percent: 0)
        case 1, 2: .append(percent: 1 + random.below(99))
        case 3: .append(percent: 100)
        case 4: .replace(isAfter: random.chance(50))
        case 5: .send(isAfter: random.chance(50))
        case 6, 7: .callback(isAfter: random.chance(50))
        case 8: .update(isRevoked: false)
        default: .update(isRevoked: true)
        }
    }
}

/// What a call throws that is still on the stack of a launch that has ended. Nothing it does
/// afterwards has an effect.
struct Killed: Error {}
