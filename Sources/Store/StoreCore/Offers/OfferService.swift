import Foundation
import StoreModel

/// Redeems codes, asks about prices, and leads customers from the store into the app.
package struct OfferService: Sendable {
    private let database: any ShopDatabase
    private let clock: CustomerClock
    private let oneTimeCodes: OneTimeUseCodes

    package init(
        database: any ShopDatabase, clock: any StoreClock, oneTimeCodes: OneTimeUseCodes
    ) {
        self.database = database
        self.clock = CustomerClock(clock)
        self.oneTimeCodes = oneTimeCodes
    }

    /// Adds codes.
    package func add(_ codes: [OfferCode]) async throws {
        let now = clock.now()
        try await database.write { repositories in
            for code in codes { try repositories.offers.insert(code, at: now) }
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
        let now = clock.now()
        return try await database.read { repositories in
            guard let code = try typed(text, by: account, in: catalog.app.id, repositories) else {
                return .failure(.unknown)
            }
            switch try Self.redeemable(code, account, profile, catalog, repositories, at: now) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let found):
                guard let offer = found.offer else { return .success(nil) }
                let charge = try ChargeNotice.of(
                    found.product, with: offer, by: account.id, in: catalog.app.id, repositories,
                    at: now)
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
        _ text: String, by account: Account, in app: AppID, _ repositories: StoreRepositories
    ) throws -> OfferCode? {
        guard let text = OfferCode.normalized(text, shortest: 1) else { return nil }
        if let code = try repositories.offers.code(text), code.app == app { return code }
        if text.utf8.count == OneTimeUseCodes.length {
            let batches = try repositories.kept.codes(
                .subscriptionOfferCodeOneTimeUseCodes, of: app)
            for batch in batches
            where batch.isMeant(for: account.environment)
                && oneTimeCodes.contains(text, in: batch.resource)
            {
                return batch.offerCode("\(batch.resource.id) \(text)", uses: 1)
            }
        }
        return try repositories.kept.codes(
            .subscriptionOfferCodeCustomCodes, of: app, named: text
        ).first.map { $0.offerCode($0.resource.id, uses: $0.resource.codeCount) }
    }

    private static func redeemable(
        _ code: OfferCode, _ account: Account, _ profile: ProfileClaim, _ catalog: AppCatalog,
        _ repositories: StoreRepositories, at now: Date
    ) throws -> Result<Found, OfferCodeRefusal> {
        guard try repositories.offers.use(of: code.code, by: account.id) == nil else {
            return .failure(.usedBefore)
        }
        guard code.end > now else { return .failure(.ended) }
        let uses = try repositories.offers.uses(of: code.code, in: account.environment)
        guard uses < code.uses else { return .failure(.usedUp) }
        let terms = SellingTerms(
            profile: profile, environment: account.environment, catalog: catalog, at: now)
        let product: Product
        switch terms.product(code.productID.text, storefront: account.storefront) {
        case .success(let found): product = found
        case .failure(let error): return .failure(.invalidProduct(error.reason))
        }
        guard let price = product.price(in: account.storefront, at: now) else {
            return .failure(.invalidProduct(.notInStorefront(account.storefront.code)))
        }
        var offer: SubscriptionOffer?
        if let name = code.offer {
            guard try !repositories.offers.hasUsed(code, by: account.id) else {
                return .failure(.usedBefore)
            }
            let claim = OfferClaim(identifier: name, isOfCode: true)
            switch try OfferFinder(repositories, at: now).offer(
                for: claim, product, by: account, in: catalog.app.id)
            {
            case .success(let found): offer = found
            case .failure(let refusal): return .failure(.offer(refusal))
            }
            let settings = try repositories.accounts.settings(of: account.id)
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
        let now = clock.now()
        return try await database.write { repositories in
            guard let code = try typed(text, by: account, in: catalog.app.id, repositories) else {
                return .failure(.unknown)
            }
            if let id = try repositories.offers.use(of: code.code, by: account.id),
                let entry = try repositories.ledger.entry(id), entry.details.key == key.text
            {
                return .success(try PurchaseService.sale(entry, catalog: catalog, repositories))
            }
            let found: Found
            switch try Self.redeemable(code, account, profile, catalog, repositories, at: now) {
            case .success(let redeemable): found = redeemable
            case .failure(let refusal): return .failure(refusal)
            }
            guard found.offer == agreed else {
                return .failure(.notAgreed(price: found.price))
            }
            let details = found.product.details
            let owned = try repositories.ledger.firstPurchase(
                of: details.productID, account: account.id, app: catalog.app.id)
            let draft = LedgerDraft(
                kind: .purchase, environment: account.environment, account: account.id,
                app: catalog.app.id, bundleID: catalog.app.bundleID,
                productID: details.productID, productType: details.type, key: key.text,
                device: device, quantity: 1, unitPrice: found.price,
                charged: Money(thousandths: 0, currency: found.price.currency),
                storefront: account.storefront,
                original: details.type == .nonConsumable ? owned?.original : nil,
                applicationUsername: nil, date: now)
            // A purchase key that another order has used redeems nothing, whether that was sold or refused.
            let refused = try repositories.refused.purchase(
                key: draft.key, account: account.id, app: catalog.app.id)
            guard refused == nil else { return .failure(.usedBefore) }
            let sale = try SaleWriter(
                draft, of: found.product, offer: found.offer, repositories, at: now)
            let settings = try repositories.accounts.settings(of: account.id)
            if PurchaseRules.isDeclined(sale.draft, settings: settings) {
                try PurchaseService.decline(sale, settings, repositories)
                return .failure(.paymentDeclined)
            }
            guard let entry = try sale.insertIfNew() else { return .failure(.usedBefore) }
            if try repositories.offers.code(code.code) == nil {
                // A code that the API made gets its row when it is first used.
                try repositories.offers.insert(code, at: now)
            }
            try repositories.offers.recordUse(
                OfferCodeUse(
                    code: code.code, account: account.id, environment: account.environment,
                    number: found.uses + 1, transaction: entry.id))
            return .success(
                try PurchaseService.sale(entry, catalog: catalog, repositories))
        }
    }

    /// What a product costs an account, without an offer: at its next renewal, where the account
    /// subscribes to it.
    ///
    /// - Returns: nil if the account's storefront does not sell the product.
    package func fullPrice(
        of product: ProductID, for account: Account, in app: AppID
    ) async throws -> Money? {
        let now = try await database.time(of: .account(account.id, app: app), clock)
        return try await database.read { repositories in
            let subscription = try repositories.renewals.subscriptions(of: account.id, app: app)
                .first { $0.state.isRunning && $0.renewalProduct == product }
            if let subscription {
                return try SubscriptionReader(repositories, at: now)
                    .nextPeriod(of: subscription).fullPrice
            }
            return try repositories.catalog.product(product, in: app)?
                .price(in: account.storefront, at: now)
        }
    }

    /// Asks an account whether it agrees to a higher price, in place of what it was asked about the product
    /// in the same currency and has not answered.
    package func askConsent(_ draft: PriceConsentDraft) async throws -> PriceConsent {
        let now = try await database.time(of: .account(draft.account, app: draft.app), clock)
        return try await database.write { repositories in
            try repositories.offers.closeConsents(
                about: draft.productID, account: draft.account, app: draft.app,
                in: draft.currency, at: now)
            let consent = try repositories.offers.insertConsent(draft, at: now)
            try repositories.events.append(
                DeviceEventDraft(account: draft.account, app: draft.app, kind: .priceConsent),
                at: now)
            try Self.tell(.pending, of: draft, repositories, at: now)
            return consent
        }
    }

    package func openConsents(of account: AccountID, in app: AppID) async throws -> [PriceConsent] {
        try await database.read { try $0.offers.openConsents(account: account, app: app) }
    }

    /// Records the answer to a question.
    ///
    /// - Returns: false where the account has no such open question in this app.
    package func answerConsent(
        _ id: PriceConsentID, agreed: Bool, by account: Account, in app: App
    ) async throws -> Bool {
        let now = clock.now()
        return try await database.write { repositories in
            let open = try repositories.offers.openConsents(account: account.id, app: app.id)
            let currency = account.storefront.currency
            guard
                let consent = open.first(where: {
                    $0.id == id && $0.details.isAsked(in: currency)
                })
            else { return false }
            try repositories.offers.recordConsent(id, agreed: agreed, at: now)
            guard agreed else {
                try Self.refuse(consent.details, repositories, at: now)
                return true
            }
            try Self.tell(.accepted, of: consent.details, repositories, at: now)
            return true
        }
    }

    /// Ends renewing for a customer who declines the higher price. This includes a subscription whose period is refunded now, because
    /// the refund may be reversed.
    private static func refuse(
        _ consent: PriceConsentDraft, _ repositories: StoreRepositories, at date: Date
    ) throws {
        for subscription in try subscriptions(consent, repositories)
        where subscription.renews
            && (subscription.state.isRunning || subscription.state == .revoked)
        {
            var next = subscription
            next.setRenews(false, because: .priceIncreaseRefused, at: date)
            try SubscriptionChange.save(next, over: subscription, repositories, at: date)
            guard next.state == .retry else { continue }
            // Nothing is tried again: it ends here.
            _ = try RenewalService.advance(next.original.id, at: date, repositories)
        }
    }

    /// The subscriptions that a question is about.
    private static func subscriptions(
        _ consent: PriceConsentDraft, _ repositories: StoreRepositories
    ) throws -> [Subscription] {
        try repositories.renewals.subscriptions(of: consent.account, app: consent.app)
            .filter { $0.renewalProduct == consent.productID }
    }

    /// Tells devices of a subscription that goes on at a higher price, or may.
    ///
    /// - Parameter subtype: what the publisher's server hears.
    private static func tell(
        _ subtype: NotificationSubtype, of consent: PriceConsentDraft,
        _ repositories: StoreRepositories, at date: Date
    ) throws {
        for subscription in try subscriptions(consent, repositories)
        where subscription.state.isRunning {
            try SubscriptionWriter(repositories, at: date)
                .tell(subscription.account, in: subscription.app)
            try Outbox(repositories, at: date).tell(
                .priceIncrease, subtype, of: subscription.latest, subscription: subscription)
        }
    }

    /// Leads a customer who wants to buy a product from the store into the app.
    package func beginStorePayment(
        of product: ProductID, by account: AccountID, in app: AppID
    ) async throws {
        let now = clock.now()
        try await database.write { repositories in
            try repositories.events.append(
                DeviceEventDraft(account: account, app: app, kind: .storePayment(product)), at: now)
        }
    }
}
