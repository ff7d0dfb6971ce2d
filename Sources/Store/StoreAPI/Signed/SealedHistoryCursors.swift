import Foundation
import StoreCore
import StoreSecurity
import StoreWire

/// Tokens of cursors in a history of notifications: statements that the store has sealed.
struct SealedHistoryCursors: HistoryCursorSeal {
    /// Every kind of sealed statement has keys of its own, so that none passes for another.
    private struct Statement: Codable {
        let notifications: NotificationHistoryCursor
    }

    let seals: SealedTokens

    func token(for cursor: NotificationHistoryCursor) throws -> String {
        seals.seal(try WireCoding.encode(Statement(notifications: cursor)))
    }

    func cursor(of token: String) -> NotificationHistoryCursor? {
        guard let data = try? seals.open(token),
            let statement = try? WireCoding.decode(Statement.self, from: data)
        else { return nil }
        return statement.notifications
    }
}
