import Foundation
import StoreModel

/// Ask to Buy (parental approval): lets guardians decide on a page about what somebody asks to buy.
package struct ApprovalService: Sendable {
    /// So many passwords are looked at for one purchase. They are counted in the database, so
    /// that neither a restart nor a second process begins anew.
    package static let attemptLimit = 5
    /// The longest name of a page that is looked at, in bytes.
    private static let tokenLimit = 2048

    private let shop: Shop
    private let accounts: AccountService
    private let pending: PendingPurchaseService
    private let seal: any ApprovalSeal

    package init(
        database: any ShopDatabase, accounts: AccountService, pending: PendingPurchaseService,
        seal: any ApprovalSeal, clock: any StoreClock
    ) {
        shop = Shop(database: database, clock: clock)
        self.accounts = accounts
        self.pending = pending
        self.seal = seal
    }

    // MARK: Addresses

    /// The path of a page, below the base URL.
    private func path(_ claim: ApprovalClaim) throws -> String {
        "/approvals/\(try seal.token(for: claim))"
    }

    /// The path of the page for the device that asks.
    ///
    /// - Parameter address: the base URL that the device knows the store by.
    /// - Returns: nil where nothing waits, and where the device is not to know: a customer of
    ///   the production store without a guardian could approve their own purchase.
    package func path(
        forDeviceWith key: PurchaseKey, of account: Account, in app: App, address: String
    ) async throws -> String? {
        let found = try await shop.read { work in
            try work.pending.purchase(key: key.text, account: account.id, app: app.id)
                .map { ($0, try work.pending.page(of: $0.id) != nil) }
        }
        guard let (purchase, hasPage) = found, purchase.kind == .approval else { return nil }
        let isTold = try await shop.read { work in
            try account.environment == .sandbox
                || work.accounts.settings(of: account.id).guardian != nil
        }
        if !hasPage {
            try await shop.write {
                try $0.pending.insertPage(of: purchase.id, address: address)
            }
        }
        return isTold ? try path(ApprovalClaim(purchase: purchase.id)) : nil
    }

    /// The path of the page for the operator.
    ///
    /// - Parameter address: the base URL that it is opened under; nil for the one that the
    ///   device knows the store by.
    /// - Returns: nil for what is decided on no page, and where neither address is known.
    package func path(
        of purchase: PendingPurchase, address: String? = nil
    ) async throws -> String? {
        guard purchase.kind == .approval else { return nil }
        let known = try await shop.read { try $0.pending.page(of: purchase.id)?.address }
        guard known != nil || address != nil else { return nil }
        return try path(
            ApprovalClaim(purchase: purchase.id, address: address == known ? nil : address))
    }

    // MARK: The page

    /// The approval that a page is about; nil where the store has named no such page.
    package func approval(
        page token: String, environment: StoreEnvironment
    ) async throws -> Approval? {
        guard token.utf8.count <= Self.tokenLimit, let claim = seal.claim(of: token) else {
            return nil
        }
        return try await shop.read { work in
            let page = try work.pending.page(of: claim.purchase)
            let now = try work.at(.asker(of: claim.purchase)).now
            guard let purchase = try work.pending.purchase(claim.purchase),
                purchase.kind == .approval, purchase.order.environment == environment,
                let address = claim.address ?? page?.address,
                let requester = try work.accounts.account(purchase.order.account)
            else { return nil }
            let order = purchase.order
            let product = try work.catalog.product(order.productID, in: order.app)
            var shown = PromptProduct(
                order.productID, product, in: order.storefront, environment: order.environment)
            if let offer = purchase.offer { shown.charge = .offer(offer) }
            let price =
                purchase.offer == nil ? nil : product?.price(in: order.storefront, at: now)
            return Approval(
                purchase: purchase, address: address, requester: requester,
                guardian: try work.accounts.settings(of: requester.id).guardian
                    .flatMap(work.accounts.account),
                appName: try work.catalog.app(order.app)?.name ?? "",
                product: shown, total: price ?? order.charged,
                attempts: page?.attempts ?? 0, status: purchase.status(at: now))
        }
    }

    /// Whether a password is the guardian's. Each one counts before it is looked at, so that
    /// many at once are not more.
    ///
    /// - Parameter client: the address that the request comes from, where it is known.
    /// - Returns: the guardian.
    /// - Throws: `ApprovalRefusal`.
    package func prove(
        password: String, for approval: Approval, client: String? = nil
    ) async throws -> Account {
        guard let guardian = approval.guardian else { throw ApprovalRefusal.notProven }
        let (id, address) = (approval.purchase.id, approval.address)
        let attempt = try await shop.write { work in
            guard (try work.pending.page(of: id)?.attempts ?? 0) < Self.attemptLimit
            else { throw ApprovalRefusal.exhausted }
            return try work.pending.countAttempt(on: id, address: address)
        }
        do {
            return try await accounts.authenticate(
                email: guardian.email, password: password, environment: guardian.environment,
                client: client)
        } catch AccountRefusal.signInDelayed(let delay) {
            throw ApprovalRefusal.delayed(delay)
        } catch is AccountRefusal {
            throw attempt < Self.attemptLimit
                ? ApprovalRefusal.passwordWrong : ApprovalRefusal.exhausted
        }
    }

    /// Decides; the account's devices hear of it.
    ///
    /// - Parameter proven: the account that whoever decides has shown to be.
    /// - Throws: `ApprovalRefusal`, `PendingPurchaseRefusal`.
    package func decide(
        _ outcome: PendingPurchase.Decision.Outcome, on approval: Approval, proven: AccountID?
    ) async throws {
        if let guardian = approval.guardian, guardian.id != proven {
            throw ApprovalRefusal.notProven
        }
        switch outcome {
        case .approved: try await pending.approve(approval.purchase.id)
        case .declined: try await pending.decline(approval.purchase.id)
        }
    }
}
