import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// What the device routes do once it is clear who is calling: decode, call the rules,
/// sign, encode.
///
/// A class: a value would be copied with all its services for each request.
final class DeviceOperations: Sendable {
    private let services: APIServices
    private let sessions: SessionCache
    private let catalogs: CatalogCache
    private let products: ProductResponseCache
    private let transactions: DeviceSigner
    private let history: DeviceHistory
    private let delivery: ContentDelivery
    private let events: EventRoute
    private let receipts: ReceiptIssuer
    private let prompts: PromptOperations
    private let items: DeviceItems
    private let offerClaims: OfferClaims
    /// Restores, receipts and histories of one account: each is read and signed anew.
    private let largeAllowance: RequestAllowance
    private static let largePerMinute = 120

    init(
        services: APIServices, sessions: SessionCache, catalogs: CatalogCache,
        products: ProductResponseCache, delivery: ContentDelivery
    ) {
        self.services = services
        self.sessions = sessions
        self.catalogs = catalogs
        self.products = products
        self.delivery = delivery
        self.events = EventRoute(services: services, sessions: sessions, catalogs: catalogs)
        self.offerClaims = OfferClaims(database: services.database, clock: services.clock)
        self.prompts = PromptOperations(services: services, offerClaims: offerClaims)
        self.items = DeviceItems(services: services)
        self.transactions = DeviceSigner(services: services)
        self.receipts = ReceiptIssuer(
            signer: services.receiptSigner, names: services.environmentNames)
        self.largeAllowance = RequestAllowance(
            perMinute: Self.largePerMinute, clock: services.clock)
        self.history = DeviceHistory(services: services, allowance: largeAllowance)
    }

    /// Answers a request, at the time of the account that has signed in.
    func perform(
        _ operation: DeviceOperation, _ request: HTTPRequest, by caller: Caller
    ) async throws -> HTTPResponse {
        // A request for events waits while a sandbox clock may be advanced.
        guard let account = caller.account, account.environment == .sandbox, operation != .events
        else { return try await answer(operation, request, caller) }
        guard let app = try await catalogs.catalog(of: caller.profile.bundleId)?.app.id else {
            return try await answer(operation, request, caller)
        }
        return try await services.database.atTime(of: account, in: app) {
            try await answer(operation, request, caller)
        }
    }

    private func answer(
        _ operation: DeviceOperation, _ request: HTTPRequest, _ caller: Caller
    ) async throws -> HTTPResponse {
        switch operation {
        case .signIn: try await signIn(request, caller)
        case .signOut: try await signOut(caller)
        case .products: try await products.make(request, for: caller)
        case .quote: try await quote(request, caller)
        case .purchase: try await purchase(request, caller)
        case .unfinished: try await unfinished(request, caller)
        case .finish: try await finish(request, caller)
        case .download: try await download(request, caller)
        case .renewDownload: try await renewDownload(request, caller)
        case .restore: try await restore(request, caller)
        case .requestRefund, .history, .subscriptions, .appTransaction:
            try await history.perform(
                operation, request, caller, app: try await catalogs.catalog(of: caller).app)
        case .events: try await events.answer(request, caller)
        case .redeem: try await redeem(request, caller)
        case .consent: try await consent(request, caller)
        case .receipt: try await receipt(request, caller)
        case .transactionReceipt: try await transactionReceipt(request, caller)
        case .checkItem: try await ItemAvailability(services: services).answer(request, caller)
        case .itemPage: try await items.page(request, caller)
        case .itemReviews: try await items.reviews(request, caller)
        case .buyItem: try await items.buy(request, caller)
        case .itemFile: try await items.file(request, caller)
        case .writeReview: try await items.writeReview(request, caller)
        case .removeReview: try await items.removeReview(request, caller)
        case .voteOnReview: try await items.vote(request, caller)
        case .ask:
            try await prompts.ask(request, caller, catalog: try await catalogs.catalog(of: caller))
        case .awaitAnswer:
            try await prompts.awaitAnswer(
                request, caller, app: try await catalogs.catalog(of: caller).app)
        case .abandon:
            try await prompts.abandon(
                request, caller, app: try await catalogs.catalog(of: caller).app)
        // By its grant, not by a caller; and what no app asks, by CustomerApps.
        case .content, .customerSignIn, .customerSignOut, .findApps, .showApp, .buyApp, .deliverApp:
            throw DeviceRouteTable.WrongHandler()
        }
    }

    // MARK: Session

    private func signIn(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        guard caller.profile.environment == caller.environment else {
            throw WireError.wrongEnvironment(of: caller.profile, in: caller.environment)
        }
        return try .json(
            try await SessionAnswer.signingIn(
                try WireCoding.decode(SignInRequest.self, from: request.body),
                to: caller.environment, base: caller.profile.baseURL, from: request.clientAddress,
                services))
    }

    private func signOut(_ caller: Caller) async throws -> HTTPResponse {
        if let token = caller.token {
            try await services.accounts.signOut(token: token)
            sessions.forget(token)
            // Wake requests that wait for events with this session.
            if let account = caller.account { services.events.nudge(account.id) }
        }
        products.forget()
        return HTTPResponse(status: 204)
    }

    // MARK: Transactions

    private func quote(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(QuoteRequest.self, from: request.body)
        let catalog = try await catalogs.catalog(of: caller)
        if let code = wanted.code {
            return try await quote(code, request, caller, catalog)
        }
        let claim = try await offerClaims.claim(
            wanted.offer, of: wanted.productId, username: wanted.applicationUsername,
            by: try caller.signedIn().id, in: catalog.app)
        let result = try await services.purchases.charge(
            for: wanted.productId, claim, by: try caller.signedIn(), in: catalog)
        switch result {
        case .success(let notice): return try .json(QuoteAnswer(notice))
        case .failure(let refusal): throw WireError(refusal, to: caller.profile.bundleId)
        }
    }

    private func purchase(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(PurchaseRequest.self, from: request.body)
        let catalog = try await catalogs.catalog(of: caller)
        let claim = try await offerClaims.claim(
            wanted.offer ?? wanted.offerIdentifier.map { OfferWish(identifier: $0) },
            of: wanted.productId, username: wanted.applicationUsername,
            by: try caller.signedIn().id, in: catalog.app)
        let order = PurchaseOrder(
            key: wanted.purchaseKey, productID: wanted.productId, quantity: wanted.quantity,
            confirmedPrice: wanted.confirmedPrice,
            applicationUsername: Self.accountToken(wanted.applicationUsername),
            device: caller.device, simulatesAskToBuy: wanted.simulatesAskToBuy ?? false,
            claim: claim, agreedOffer: wanted.agreedOffer, isFree: wanted.isFree ?? false)
        let result = try await services.purchases.buy(
            order, by: try caller.signedIn(), profile: caller.profile.claim, catalog: catalog)
        switch result {
        case .success(.sold(let sale)):
            // The account's other devices fetch the history.
            services.events.nudge(sale.entry.details.account, except: caller.device)
            return .json(try transactions.answer(sale, to: caller.device))
        case .success(.deferred):
            let page = try await services.approvals.path(
                forDeviceWith: wanted.purchaseKey, of: try caller.signedIn(),
                in: try await catalogs.catalog(of: caller).app, address: caller.profile.baseURL)
            return try .json(
                DeferredAnswer(purchaseKey: wanted.purchaseKey, approvalPage: page), status: 202)
        case .failure(.offer(let name, _)) where wanted.offer == nil:
            // A framework that applies no offers knows no other refusal of one.
            throw WireError(PurchaseRefusal.offer(name, .unknown), to: caller.profile.bundleId)
        case .failure(let refusal): throw WireError(refusal, to: caller.profile.bundleId)
        }
    }

    /// What a code gives, for the customer to agree to.
    private func quote(
        _ code: String, _ request: HTTPRequest, _ caller: Caller, _ catalog: AppCatalog
    ) async throws -> HTTPResponse {
        let account = try caller.signedIn()
        let result = try await guessing(request, account) {
            try await services.offers.quote(
                code, by: account, profile: caller.profile.claim, catalog: catalog)
        }
        switch result {
        case .success(nil): return try .json(QuoteAnswer(.owned))
        case .success(let quote?):
            var answer = QuoteAnswer(quote.charge)
            answer.product = try ProductResponseCache.wire(
                quote.product, storefront: account.storefront, locale: nil, for: caller,
                at: services.customerClock.now())
            return try .json(answer)
        case .failure(let refusal): throw WireError(refusal, to: caller.profile.bundleId)
        }
    }

    /// Looks at a code that a customer has typed. Codes are worth money: guessing them is rate-limited,
    /// as guessing passwords is.
    private func guessing<Value: Sendable>(
        _ request: HTTPRequest, _ account: Account,
        _ look: () async throws -> Result<Value, OfferCodeRefusal>
    ) async throws -> Result<Value, OfferCodeRefusal> {
        var answer: Result<Value, OfferCodeRefusal>?
        _ = try await SignInThrottle(
            database: services.database, vault: services.vault, clock: services.clock
        ).attempt(
            account: "offer codes \(account.id.number)", address: request.clientAddress,
            forgetsFailures: false
        ) {
            let result = try await look()
            answer = result
            if case .failure(.unknown) = result { return false }
            return true
        }
        guard let answer else { throw WireError.notSignedIn }
        return answer
    }

    private func redeem(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(RedemptionRequest.self, from: request.body)
        let account = try caller.signedIn()
        let catalog = try await catalogs.catalog(of: caller)
        let redeemed = try await guessing(request, account) {
            try await services.offers.redeem(
                wanted.code, key: wanted.purchaseKey, by: account,
                profile: caller.profile.claim, catalog: catalog, device: caller.device,
                agreed: wanted.agreedOffer)
        }
        switch redeemed {
        case .success(let sale):
            services.events.nudge(account.id, except: caller.device)
            return .json(try transactions.answer(sale, to: caller.device))
        case .failure(let refusal): throw WireError(refusal, to: caller.profile.bundleId)
        }
    }

    private func consent(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let answer = try WireCoding.decode(ConsentRequest.self, from: request.body)
        let text = request.parameters.first ?? ""
        let app = try await catalogs.catalog(of: caller).app
        guard let number = Int64(text),
            try await services.offers.answerConsent(
                PriceConsentID(number: number), agreed: answer.agreed, by: try caller.signedIn(),
                in: app)
        else {
            throw WireError(
                code: .consentNotFound,
                message: "The account has no open question \"\(text)\" about a price in this app.")
        }
        return HTTPResponse(status: 204)
    }

    private func unfinished(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        var after: TransactionID?
        if let text = request.query.first(where: { $0.name == "after" })?.value {
            guard let id = TransactionID(text) else {
                throw WireError(
                    code: .malformedRequest, message: "after is not a transaction identifier.")
            }
            after = id
        }
        return try await answer(
            try await services.purchases.unfinished(
                by: try caller.signedIn(), in: try await catalogs.catalog(of: caller),
                device: caller.device, after: after), to: caller.device)
    }

    private func answer(
        _ page: PurchaseService.Page, to device: String
    ) async throws -> HTTPResponse {
        try await services.signingPool.run(signing: page.sales.count) { [transactions] in
            try .json(
                TransactionsAnswer(
                    transactions: try page.sales.map { try transactions.answer($0, to: device) },
                    next: page.next))
        }
    }

    private func finish(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id = try Self.transactionID(request)
        let app = try await catalogs.catalog(of: caller).app
        guard try await services.purchases.finish(id, by: try caller.signedIn(), in: app) else {
            throw WireError.transactionNotFound(id)
        }
        return HTTPResponse(status: 204)
    }

    private func restore(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(RestoreRequest.self, from: request.body)
        let account = try caller.signedIn()
        try largeAllowance.count(.customer(account.id), of: request)
        return try await answer(
            try await services.purchases.restore(
                by: account, in: try await catalogs.catalog(of: caller), device: caller.device,
                applicationUsername: Self.accountToken(wanted.applicationUsername),
                after: wanted.after), to: caller.device)
    }

    private func download(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id = try Self.transactionID(request)
        let wanted = try WireCoding.decode(DownloadRequest.self, from: request.body)
        let catalog = try await catalogs.catalog(of: caller)
        let entry = try await services.purchases.usable(
            id, by: try caller.signedIn(), in: catalog.app)
        guard let entry else { throw WireError.transactionNotFound(id) }
        return try .json(
            try await delivery.permit(wanted, for: entry, on: caller.device, in: catalog))
    }

    /// Continues a download by its token, until a refund or another revocation ends it.
    private func renewDownload(
        _ request: HTTPRequest, _ caller: Caller
    ) async throws -> HTTPResponse {
        guard caller.profile.environment == caller.environment else {
            throw WireError.wrongEnvironment(of: caller.profile, in: caller.environment)
        }
        let wanted = try WireCoding.decode(DownloadRenewalRequest.self, from: request.body)
        let claim = try delivery.claim(of: wanted.token, from: caller.device)
        let catalog = try await catalogs.catalog(of: caller)
        let entry = try await services.purchases.usable(
            claim.downloadOf, in: catalog.app, environment: caller.environment)
        guard let entry else { throw WireError.transactionNotFound(claim.downloadOf) }
        return try .json(
            try await delivery.renew(wanted.token, claim, for: entry, in: catalog))
    }

    private func receipt(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(ReceiptRequest.self, from: request.body)
        try wanted.check()
        let account = try caller.signedIn()
        try largeAllowance.count(.customer(account.id), of: request)
        let app = try await catalogs.catalog(of: caller).app
        let signing = services.signingPool
        // A database on this machine is read on the same thread that signs.
        let known = try await signing.run { [self] in
            try services.receipts.known(for: account, in: app, device: caller.device)
                .map { try receipts.issue($0, wanted) }
        }
        if let known { return try .json(known) }
        let contents = try await services.receipts.contents(
            for: account, in: app, device: caller.device)
        return try .json(try await signing.run { [self] in try receipts.issue(contents, wanted) })
    }

    private func transactionReceipt(
        _ request: HTTPRequest, _ caller: Caller
    ) async throws -> HTTPResponse {
        let id = try Self.transactionID(request)
        let wanted = try WireCoding.decode(ReceiptRequest.self, from: request.body)
        try wanted.check()
        let contents = try await services.receipts.transaction(
            id, by: try caller.signedIn(), in: try await catalogs.catalog(of: caller).app)
        guard let contents else { throw WireError.transactionNotFound(id) }
        return try .json(
            try receipts.issue(
                contents.record, productNumber: contents.productNumber, wanted,
                at: services.customerClock.now()))
    }

    // MARK: Parts

    static func transactionID(_ request: HTTPRequest) throws -> TransactionID {
        let text = request.parameters.first ?? ""
        guard let id = TransactionID(text) else {
            throw WireError(
                code: .transactionNotFound, message: "\"\(text)\" is not a transaction identifier.")
        }
        return id
    }

    /// An application user name is kept only where it is a UUID, as Apple's store does.
    private static func accountToken(_ username: String?) -> String? {
        username.flatMap { UUID(uuidString: $0) }?.uuidString.lowercased()
    }
}

extension WireError {
    static func transactionNotFound(_ id: TransactionID) -> WireError {
        WireError(
            code: .transactionNotFound,
            message: "The account has no transaction \(id) in this app.")
    }
}
