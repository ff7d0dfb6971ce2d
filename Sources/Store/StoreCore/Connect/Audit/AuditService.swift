import Foundation

/// Who changed what.
package struct AuditService: Sendable {
    let shop: Shop

    /// Entries, the newest first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all of them and the store's own, which only operators see.
    ///   - before: gives those with a smaller number only.
    /// - Throws: `ConnectRefusal`.
    package func entries(
        of team: Int64?, before: Int64? = nil, limit: Int, by actor: ConnectActor
    ) async throws -> [AuditRecord] {
        try actor.require(.viewAudit)
        if let team {
            try TeamRules.check(team, seenBy: actor)
        } else {
            try actor.require(.operate)
        }
        return try await shop.read(as: actor) {
            try $0.audit.entries(team: team, before: before, limit: limit)
        }
    }
}
