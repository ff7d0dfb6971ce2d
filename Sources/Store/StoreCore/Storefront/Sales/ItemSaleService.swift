import Foundation
import StoreModel

/// What of an item's files an account gets.
package enum DownloadRight: Sendable, Hashable {
    /// The account has not got the item.
    case notOwned
    /// It is another publisher's, and the tester has paid nothing for it.
    case withheld
    case given
}

/// Sells items of the storefront, and takes sales back.
package struct ItemSaleService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Customers

    /// Sells an item once: whoever has it already gets the sale by which they have it, and pays
    /// nothing.
    ///
    /// - Parameters:
    ///   - price: what the page showed.
    ///   - referral: who sent the customer; what is not well formed of it is left out.
    /// - Throws: `ItemSaleRefusal`; nothing was sold then.
    package func buy(
        _ id: ItemID, expecting price: Money, by account: Account, referral: Referral = Referral()
    ) async throws -> ItemSale {
        let referral = referral.checked
        // A value, not an error: the payment that was declined on purpose is noted.
        let sold: Result<ItemSale, ItemSaleRefusal> = try await shop.write { work in
            if let owned = try work.itemSales.owned(id, by: account.id) {
                return .success(owned)
            }
            // The storefront may be another one than when the account signed in.
            guard let account = try work.accounts.account(account.id),
                let item = try work.items.item(id), item.state != .draft
            else { return .failure(.itemUnknown(id)) }
            let settings = try work.accounts.settings(of: account.id)
            let order = ItemOrderSituation(
                item: item, account: account, settings: settings, expected: price,
                hasPaidAgreement: try work.catalog.team(item.team)?.hasPaidAgreement
                    ?? false,
                hasFile: try !work.itemMedia.withFiles([id]).isEmpty)
            switch ItemSaleRules.price(order) {
            case .failure(let refusal):
                if refusal == .paymentDeclined, settings.paymentFailure == .next {
                    var settings = settings
                    settings.paymentFailure = .none
                    try work.accounts.set(settings, of: account.id)
                }
                return .failure(refusal)
            case .success(let price):
                let affiliate = try referral.affiliateToken.flatMap {
                    try work.affiliates.affiliate(token: $0)
                }
                let sale = try work.itemSales.insert(
                    ItemSaleDraft(
                        item: id, environment: account.environment, account: account.id,
                        storefront: account.storefront, price: price, referral: referral,
                        credit: affiliate.flatMap {
                            AffiliateCredit($0, for: price, buyer: account.email)
                        }, date: work.now))
                if account.environment == .production {
                    try work.items.raisePopularity(of: id, by: ItemSaleRules.popularity)
                }
                return .success(sale)
            }
        }
        return try sold.get()
    }

    /// The sale by which an account has an item: of the item, or of the album or season that it
    /// is a part of; nil where it has not, or not any longer.
    package func owned(_ id: ItemID, by account: AccountID) async throws -> ItemSale? {
        try await shop.read { try $0.itemSales.owned(id, by: account) }
    }

    /// Whether somebody else approves what an account buys: it is sold no items then.
    package func needsApproval(_ account: AccountID) async throws -> Bool {
        try await shop.read { try $0.accounts.settings(of: account).asksToBuy }
    }

    /// What an account has of a list of items.
    package func ownedItems(of ids: [ItemID], by account: AccountID) async throws -> Set<ItemID> {
        guard !ids.isEmpty else { return [] }
        return try await shop.read { try $0.itemSales.owned(of: ids, by: account) }
    }

    /// Whether an account may download what belongs to an item.
    ///
    /// Testers pay nothing: of what costs money, they get the files of their own team. An account
    /// of the sandbox that is no team's was made by the operator.
    package func right(to id: ItemID, of account: Account) async throws -> DownloadRight {
        try await shop.read { work in
            guard let sale = try work.itemSales.owned(id, by: account.id) else {
                return .notOwned
            }
            guard sale.environment == .sandbox, sale.price.thousandths > 0,
                let tester = try work.testers.tester(account.id)
            else { return .given }
            return try work.items.item(id)?.team == tester.team ? .given : .withheld
        }
    }

    /// What an account got, the newest first, refunded ones too; nothing that was cleared.
    package func purchases(
        of account: AccountID, _ request: PageRequest
    ) async throws -> ListPage<ItemSale> {
        try await shop.read { try $0.itemSales.sales(of: account, request) }
    }

    // MARK: Connect

    /// What a team sold, in both environments, the newest first.
    ///
    /// Who bought is for the store only: pages for publishers don't name the accounts.
    ///
    /// - Parameters:
    ///   - team: whose; nil for the team that is acted for, or for all of them for the staff.
    ///   - item: nil for all.
    /// - Throws: `ConnectRefusal`.
    package func sales(
        of team: Int64? = nil, item: ItemID? = nil, _ request: PageRequest,
        by actor: ConnectActor
    ) async throws -> ListPage<ItemSale> {
        try actor.require(.viewSales)
        if let team { try TeamRules.check(team, seenBy: actor) }
        return try await shop.read(as: actor) { work in
            if let item { _ = try work.item(item) }
            return try work.itemSales.sales(of: team ?? actor.team, item: item, request)
        }
    }

    /// Takes a sale back: the account has not got the item any longer, and can buy it again.
    ///
    /// The operator may that with each sale, a publisher with what testers bought of them in the
    /// sandbox.
    ///
    /// - Throws: `ConnectRefusal`.
    @discardableResult
    package func refund(_ id: ItemSaleID, by actor: ConnectActor) async throws -> ItemSale {
        if !actor.allows(.operate) { try actor.require(.manageTesters) }
        return try await shop.write(as: actor) { work in
            guard let sale = try work.itemSales.sale(id),
                let item = try work.items.item(sale.item), actor.sees(team: item.team)
            else { throw ConnectRefusal.notFound("sale", id.description) }
            if sale.environment == .production { try actor.require(.operate) }
            guard !sale.isCleared else {
                throw ConnectRefusal(
                    .state, rule: "saleCleared",
                    "The sale \(id) was cleared with the tester's history: the tester has nothing "
                        + "of it.", help: "Nothing is left to do; the item can be bought again.")
            }
            guard try work.itemSales.recordRefund(of: id, at: work.now),
                let refunded = try work.itemSales.sale(id)
            else {
                throw ConnectRefusal(
                    .state, rule: "saleRefunded", "The sale \(id) was taken back already.",
                    help: "Nothing is left to do; the item can be bought again.")
            }
            if sale.environment == .production {
                try work.items.raisePopularity(of: sale.item, by: -ItemSaleRules.popularity)
            }
            try work.note(
                "itemSale.refund", on: "sale \(id) of item \(sale.item)", of: item.team,
                before: "\(sale.price.decimal) \(sale.price.currency)")
            return refunded
        }
    }
}
