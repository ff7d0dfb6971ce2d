import Foundation
import StoreCore
import StoreSecurity
import StoreWire

/// Names of approval pages: statements that the store has sealed.
struct SealedApprovals: ApprovalSeal {
    /// Every kind of sealed statement has keys of its own, so that none passes for another.
    private struct Statement: Codable {
        let approval: Int64
        let address: String?
    }

    let seals: SealedTokens

    func token(for claim: ApprovalClaim) throws -> String {
        seals.seal(
            try WireCoding.encode(
                Statement(approval: claim.purchase.number, address: claim.address)))
    }

    func claim(of token: String) -> ApprovalClaim? {
        guard let data = try? seals.open(token),
            let statement = try? WireCoding.decode(Statement.self, from: data)
        else { return nil }
        return ApprovalClaim(
            purchase: PendingPurchaseID(number: statement.approval), address: statement.address)
    }
}
