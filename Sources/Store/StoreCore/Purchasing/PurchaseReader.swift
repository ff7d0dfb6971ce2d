import Foundation
import StoreModel

/// What decides about an order, read inside the transaction that answers it.
///
/// The ledger is not asked whether the order's key has sold before: that shows when the sale is written.
struct PurchaseReader {
    let situation: PurchaseSituation
    /// The app's catalog as the database has it now; nil if the app was deleted.
    let catalog: AppCatalog?
    /// What would be written where it is for sale.
    let sale: SaleWriter?
    /// The number of the publisher's signature, which is good for one purchase.
    let nonce: UUID?

    /// - Parameter catalog: the app's catalog as last read; read again if it has changed.
    init(
        _ order: PurchaseOrder, by account: Account, profile: ProfileClaim, catalog: AppCatalog,
        _ work: UnitOfWork
    ) throws {
        let (key, app) = (order.key.text, catalog.app)
        let wasHeldBack = try work.wasHeldBack(key: key, account: account.id, app: app.id)
        if wasHeldBack,
            let pending = try work.pending.purchase(key: key, account: account.id, app: app.id)
        {
            self.init(.pending(pending), catalog)
            return
        }
        // Only testers' payments are declined on purpose.
        if wasHeldBack, account.environment == .sandbox,
            let declined = try work.testers.declinedPayment(
                key: key, account: account.id, app: app.id)
        {
            self.init(.declined(declined), catalog)
            return
        }
        let catalog =
            try work.catalog.generation(of: app.id) == catalog.generation
            ? catalog
            : try CatalogService.load(
                app.bundleID, only: ProductID(order.productID), from: work)
        let product = ProductID(order.productID).flatMap { catalog?.products[$0] }
        let wanted = PurchaseRules.decide(
            order, by: account, in: app,
            terms: SellingTerms(
                profile: profile, environment: account.environment, catalog: catalog, at: work.now),
            owned: try product.flatMap {
                try Self.owned($0, by: account.id, in: app.id, work)
            }, at: work.now)
        if wasHeldBack,
            let refused = try work.refused.purchase(key: key, account: account.id, app: app.id)
        {
            self.init(.refused(refused, today: wanted), catalog)
            return
        }
        switch (wanted, product) {
        case (.failure(let refusal), _): self.init(.notForSale(refusal), catalog)
        case (.success, nil):
            self.init(.notForSale(.invalidProduct(.unknownIdentifier(similar: nil))), catalog)
        case (.success(let draft), let product?):
            switch try work.offer(
                for: order.claim, product, by: account, in: app.id)
            {
            case .failure(let why):
                self.init(.notForSale(.offer(order.claim.name, why)), catalog)
            case .success(let offer):
                try self.init(
                    order, draft, of: product, with: PurchaseRules.affordable(offer, order),
                    catalog, work)
            }
        }
    }

    private init(_ situation: PurchaseSituation, _ catalog: AppCatalog?) {
        self.situation = situation
        self.catalog = catalog
        sale = nil
        nonce = nil
    }

    private init(
        _ order: PurchaseOrder, _ draft: LedgerDraft, of product: Product,
        with offer: SubscriptionOffer?, _ catalog: AppCatalog?, _ work: UnitOfWork
    ) throws {
        let sale = try SaleWriter(draft, of: product, offer: offer, work)
        let nonce = order.claim.nonce(for: offer)
        self.catalog = catalog
        self.sale = sale
        self.nonce = nonce
        situation = .forSale(
            PurchaseTerms(
                price: draft.unitPrice, draft: sale.draft, offer: offer,
                isSignatureUsed: try nonce.map {
                    try work.offers.isUsed(
                        $0, otherwiseThanBy: draft.account, key: draft.key)
                } ?? false,
                settings: try work.accounts.settings(of: draft.account)))
    }

    /// The account's first purchase of a product that can be owned.
    private static func owned(
        _ product: Product, by account: AccountID, in app: AppID, _ work: UnitOfWork
    ) throws -> LedgerEntry? {
        guard product.details.type == .nonConsumable else { return nil }
        return try work.ledger.firstPurchase(
            of: product.details.productID, account: account, app: app)
    }
}
