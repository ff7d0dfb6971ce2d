import Foundation
import StoreModel

/// Redeems codes, asks about prices, and leads customers from the store into the app.
package struct OfferService: Sendable {
    /// At the time of the customer whom a task works for.
    private let shop: Shop
    private let oneTimeCodes: OneTimeUseCodes

    package init(database: any ShopDatabase, clock: any StoreClock, oneTimeCodes: OneTimeUseCodes) {
        shop = Shop(database: database, clock: CustomerClock(clock))
        self.oneTimeCodes = oneTimeCodes
    }

    /// Adds codes.
    package func add(_ codes: [OfferCode]) async throws {
        try await shop.write { work in
            for code in codes { try work.offers.insert(code, at: work.now) }
        }
    }

    /// What a code gives, and to which terms, before it is redeemed.
    package struct Quote: Sendable {
        package let product: Product
        package let charge: ChargeNotice
    }

    /// What the customer is told before a code for a subscription is redeemed; nil for one that gives
    /// another product.
    package func quote(
        _ text: String, by account: Account, profile: ProfileClaim, catalog: AppCatalog
    ) async throws -> Result<Quote?, OfferCodeRefusal> {
        return try await shop.read { work in
            guard let code = try typed(text, by: account, in: catalog.app.id, work) else {
                return .failure(.unknown)
            }
            switch try Self.redeemable(code, account, profile, catalog, work) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let found):
                guard let offer = found.offer else { return .success(nil) }
                let charge = try work.chargeNotice(
                    for: found.product, with: offer, by: account.id, in: catalog.app.id)
                return .success(Quote(product: found.product, charge: charge))
            }
        }
    }

    /// A code that an account may redeem.
    private struct Found {
        let product: Product
        let price: Money
        let offer: SubscriptionOffer?
        let uses: Int
    }

    /// What a customer has typed: a code of the operator's, or one that the API made.
    private func typed(
        _ text: String, by account: Account, in app: AppID, _ work: UnitOfWork
    ) throws -> OfferCode? {
        guard let text = OfferCode.normalized(text, shortest: 1) else { return nil }
        if let code = try work.offers.code(text), code.app == app { return code }
        if text.utf8.count == OneTimeUseCodes.length {
            let batches = try work.kept.codes(
                .subscriptionOfferCodeOneTimeUseCodes, of: app)
            for batch in batches
            where batch.isMeant(for: account.environment)
                && oneTimeCodes.contains(text, in: batch.resource)
            {
                return batch.offerCode("\(batch.resource.id) \(text)", uses: 1)
            }
        }
        return try work.kept.codes(
            .subscriptionOfferCodeCustomCodes, of: app, named: text
        ).first.map { $0.offerCode($0.resource.id, uses: $0.resource.codeCount) }
    }

    private static func redeemable(
        _ code: OfferCode, _ account: Account, _ profile: ProfileClaim, _ catalog: AppCatalog,
        _ work: UnitOfWork
    ) throws -> Result<Found, OfferCodeRefusal> {
        guard try work.offers.use(of: code.code, by: account.id) == nil else {
            return .failure(.usedBefore)
        }
        guard code.end > work.now else { return .failure(.ended) }
        let uses = try work.offers.uses(of: code.code, in: account.environment)
        guard uses < code.uses else { return .failure(.usedUp) }
        let terms = SellingTerms(
            profile: profile, environment: account.environment, catalog: catalog, at: work.now)
        let product: Product
        switch terms.product(code.productID.text, storefront: account.storefront) {
        case .success(let found): product = found
        case .failure(let error): return .failure(.invalidProduct(error.reason))
        }
        guard let price = product.price(in: account.storefront, at: work.now) else {
            return .failure(.invalidProduct(.notInStorefront(account.storefront.code)))
        }
        var offer: SubscriptionOffer?
        if let name = code.offer {
            guard try !work.offers.hasUsed(code, by: account.id) else {
                return .failure(.usedBefore)
            }
            let claim = OfferClaim(identifier: name, isOfCode: true)
            switch try work.offer(
                for: claim, product, by: account, in: catalog.app.id)
            {
            case .success(let found): offer = found
            case .failure(let refusal): return .failure(.offer(refusal))
            }
            let settings = try work.accounts.settings(of: account.id)
            guard !settings.asksToBuy, !settings.interruptsPurchases else {
                return .failure(.needsApproval)
            }
        } else if product.details.type == .autoRenewableSubscription {
            return .failure(.offer(.unknown))
        }
        return .success(
            Found(product: product, price: price, offer: offer, uses: uses))
    }

    /// Gives an account what a code is for: once, however often the same request arrives.
    ///
    /// - Parameter agreed: the offer that the customer was told of.
    package func redeem(
        _ text: String, key: PurchaseKey, by account: Account, profile: ProfileClaim,
        catalog: AppCatalog, device: String, agreed: SubscriptionOffer? = nil
    ) async throws -> Result<PurchaseService.Sale, OfferCodeRefusal> {
        try await shop.write { work in
            guard let code = try typed(text, by: account, in: catalog.app.id, work) else {
                return .failure(.unknown)
            }
            if let id = try work.offers.use(of: code.code, by: account.id),
                let entry = try work.ledger.entry(id), entry.details.key == key.text
            {
                return .success(try PurchaseService.sale(entry, catalog: catalog, work))
            }
            // A device that has heard no answer asks again, and hears the same.
            guard try !Self.wasDeclined(key, by: account, in: catalog.app.id, work) else {
                return .failure(.paymentDeclined)
            }
            let found: Found
            switch try Self.redeemable(code, account, profile, catalog, work) {
            case .success(let redeemable): found = redeemable
            case .failure(let refusal): return .failure(refusal)
            }
            guard found.offer == agreed else {
                return .failure(.notAgreed(price: found.price))
            }
            let details = found.product.details
            let owned = try work.ledger.firstPurchase(
                of: details.productID, account: account.id, app: catalog.app.id)
            let draft = LedgerDraft(
                kind: .purchase, environment: account.environment, account: account.id,
                app: catalog.app.id, bundleID: catalog.app.bundleID,
                productID: details.productID, productType: details.type, key: key.text,
                device: device, quantity: 1, unitPrice: found.price,
                charged: Money(thousandths: 0, currency: found.price.currency),
                storefront: account.storefront,
                original: details.type == .nonConsumable ? owned?.original : nil,
                applicationUsername: nil, date: work.now)
            // A purchase key that another order has used redeems nothing, whether that was sold or refused.
            let refused = try work.refused.purchase(
                key: draft.key, account: account.id, app: catalog.app.id)
            guard refused == nil else { return .failure(.usedBefore) }
            let sale = try SaleWriter(
                draft, of: found.product, offer: found.offer, work)
            let settings = try work.accounts.settings(of: account.id)
            if PurchaseRules.isDeclined(sale.draft, settings: settings) {
                try work.recordDeclinedPayment(of: sale, settings)
                return .failure(.paymentDeclined)
            }
            guard let entry = try sale.insertIfNew() else { return .failure(.usedBefore) }
            if try work.offers.code(code.code) == nil {
                // A code that the API made gets its row when it is first used.
                try work.offers.insert(code, at: work.now)
            }
            try work.offers.recordUse(
                OfferCodeUse(
                    code: code.code, account: account.id, environment: account.environment,
                    number: found.uses + 1, transaction: entry.id))
            return .success(try PurchaseService.sale(entry, catalog: catalog, work))
        }
    }

    /// Whether a tester's payment was declined on purpose under a key.
    private static func wasDeclined(
        _ key: PurchaseKey, by account: Account, in app: AppID, _ work: UnitOfWork
    ) throws -> Bool {
        try account.environment == .sandbox
            && work.testers.declinedPayment(key: key.text, account: account.id, app: app) != nil
    }

    /// What a product costs an account, without an offer: at its next renewal, where the account
    /// subscribes to it.
    ///
    /// - Returns: nil if the account's storefront does not sell the product.
    package func fullPrice(
        of product: ProductID, for account: Account, in app: AppID
    ) async throws -> Money? {
        return try await shop.read(for: .account(account.id, app: app)) { work in
            let subscription = try work.renewals.subscriptions(of: account.id, app: app)
                .first { $0.state.isRunning && $0.renewalProduct == product }
            if let subscription {
                return try work.nextPeriod(of: subscription).fullPrice
            }
            return try work.catalog.product(product, in: app)?
                .price(in: account.storefront, at: work.now)
        }
    }

    /// Asks an account whether it agrees to a higher price, in place of what it was asked about the product
    /// in the same currency and has not answered.
    package func askConsent(_ draft: PriceConsentDraft) async throws -> PriceConsent {
        return try await shop.write(for: .account(draft.account, app: draft.app)) { work in
            try work.offers.closeConsents(
                about: draft.productID, account: draft.account, app: draft.app,
                in: draft.currency, at: work.now)
            let consent = try work.offers.insertConsent(draft, at: work.now)
            try work.events.append(
                DeviceEventDraft(account: draft.account, app: draft.app, kind: .priceConsent),
                at: work.now)
            try Self.tell(.pending, of: draft, work)
            return consent
        }
    }

    package func openConsents(of account: AccountID, in app: AppID) async throws -> [PriceConsent] {
        try await shop.read { try $0.offers.openConsents(account: account, app: app) }
    }

    /// Records the answer to a question.
    ///
    /// - Returns: false where the account has no such open question in this app.
    package func answerConsent(
        _ id: PriceConsentID, agreed: Bool, by account: Account, in app: App
    ) async throws -> Bool {
        return try await shop.write { work in
            let open = try work.offers.openConsents(account: account.id, app: app.id)
            let currency = account.storefront.currency
            guard
                let consent = open.first(where: {
                    $0.id == id && $0.details.isAsked(in: currency)
                })
            else { return false }
            try work.offers.recordConsent(id, agreed: agreed, at: work.now)
            guard agreed else {
                try Self.refuse(consent.details, work)
                return true
            }
            try Self.tell(.accepted, of: consent.details, work)
            return true
        }
    }

    /// Ends renewing for a customer who declines the higher price. This includes a subscription whose period is refunded now, because
    /// the refund may be reversed.
    private static func refuse(_ consent: PriceConsentDraft, _ work: UnitOfWork) throws {
        for subscription in try subscriptions(consent, work)
        where subscription.renews
            && (subscription.state.isRunning || subscription.state == .revoked)
        {
            var next = subscription
            next.setRenews(false, because: .priceIncreaseRefused, at: work.now)
            try work.saveChange(of: next, over: subscription)
            guard next.state == .retry else { continue }
            // Nothing is tried again: it ends here.
            try work.takeDueStep(of: next.original.id)
        }
    }

    /// The subscriptions that a question is about.
    private static func subscriptions(
        _ consent: PriceConsentDraft, _ work: UnitOfWork
    ) throws -> [Subscription] {
        try work.renewals.subscriptions(of: consent.account, app: consent.app)
            .filter { $0.renewalProduct == consent.productID }
    }

    /// Tells devices of a subscription that goes on at a higher price, or may.
    ///
    /// - Parameter subtype: what the publisher's server hears.
    private static func tell(
        _ subtype: NotificationSubtype, of consent: PriceConsentDraft,
        _ work: UnitOfWork
    ) throws {
        for subscription in try subscriptions(consent, work)
        where subscription.state.isRunning {
            try work.tellDevicesOfSubscription(of: subscription.account, in: subscription.app)
            try work.notify(
                .priceIncrease, subtype, of: subscription.latest, subscription: subscription)
        }
    }

    /// Leads a customer who wants to buy a product from the store into the app.
    package func beginStorePayment(
        of product: ProductID, by account: AccountID, in app: AppID
    ) async throws {
        try await shop.write { work in
            try work.events.append(
                DeviceEventDraft(account: account, app: app, kind: .storePayment(product)),
                at: work.now)
        }
    }
}
