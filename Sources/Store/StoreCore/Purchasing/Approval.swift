import StoreDatabase
import StoreModel

/// What the name of an approval page says.
package struct ApprovalClaim: Sendable, Hashable {
    package let purchase: PendingPurchaseID
    /// The base URL that the page was named for; nil for the one that the asking device
    /// knows the store by.
    package let address: String?

    package init(purchase: PendingPurchaseID, address: String? = nil) {
        self.purchase = purchase
        self.address = address
    }
}

/// Makes names of approval pages that nobody else can make.
package protocol ApprovalSeal: Sendable {
    func token(for claim: ApprovalClaim) throws -> String
    /// Nil for a name that this store has not made.
    func claim(of token: String) -> ApprovalClaim?
}

/// What is kept about an approval page beside the purchase.
package struct ApprovalPageRecord: Sendable, Hashable {
    /// The base URL that the asking device knows the store by.
    package let address: String
    /// The passwords that were tried on the page.
    package let attempts: Int
}

extension ApprovalPageRecord: Record {
    package static let table: StaticString = "approval_page"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        address = try column("address", \.address)
        attempts = try column("attempts", \.attempts)
    }
}

/// A purchase that waits for approval, as its page shows it.
package struct Approval: Sendable {
    package let purchase: PendingPurchase
    /// The base URL of the page.
    package let address: String
    package let requester: Account
    /// Who decides; nil where nobody is named.
    package let guardian: Account?
    package let appName: String
    package let product: PromptProduct
    /// What all of it costs, without an offer.
    package let total: Money
    package let attempts: Int
    package let status: PendingPurchase.Status

    /// Whether passwords are still looked at.
    package var takesPasswords: Bool { attempts < ApprovalService.attemptLimit }
}

/// Why an approval can't be decided so.
package enum ApprovalRefusal: Error, Sendable, Hashable {
    /// The guardian has not shown to be the guardian.
    case notProven
    case passwordWrong
    /// There were too many wrong passwords; none is looked at for a while.
    case delayed(SignInDelay)
    /// That was the last password that is looked at.
    case exhausted
}
