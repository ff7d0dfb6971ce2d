import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// What devices do with prompts: put them, wait for their answer, give them up.
struct PromptOperations: Sendable {
    /// A decision that another process took is seen after so long.
    static let rereading: Duration = .seconds(2)

    /// So many prompts a minute one customer is asked, or one address that nobody has signed in
    /// at: each is a row that stays for a day, and a person answers fewer.
    static let perMinute = 30

    let services: APIServices
    private let allowance: RequestAllowance
    private let offerClaims: OfferClaims

    init(services: APIServices, offerClaims: OfferClaims) {
        self.offerClaims = offerClaims
        self.services = services
        allowance = RequestAllowance(perMinute: Self.perMinute, clock: services.clock)
    }

    func ask(
        _ request: HTTPRequest, _ caller: Caller, catalog: AppCatalog
    ) async throws -> HTTPResponse {
        try requireOwnEnvironment(caller)
        let wanted = try WireCoding.decode(PromptRequest.self, from: request.body)
        let subject = try await subject(wanted, caller, catalog)
        let account: Account? =
            switch subject {
            case .signIn: nil
            // Who looks at an item need not have signed in.
            case .item: caller.account
            case .confirm, .redeem, .consent: try caller.signedIn()
            }
        if let subject = RequestSubject(of: caller.account, request) {
            try allowance.count(subject, of: request)
        }
        let ticket = try await services.prompts.ask(
            subject, for: catalog.app.id, of: account?.id, in: caller.environment,
            address: caller.profile.baseURL)
        return try .json(
            PromptAnswer(
                id: ticket.prompt.id.description,
                url: "\(caller.profile.baseURL)/prompts/\(ticket.pageToken)",
                secret: ticket.secret, expiresDate: ticket.prompt.details.end.milliseconds))
    }

    func awaitAnswer(
        _ request: HTTPRequest, _ caller: Caller, app: App
    ) async throws -> HTTPResponse {
        let seconds = try Self.wait(of: request)
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let mark = services.promptWaiters.mark
            let prompt = try await prompt(of: request, caller, app)
            let state = services.prompts.state(of: prompt)
            let left = ContinuousClock.now.duration(to: end)
            guard state == .open, left > .zero else {
                return try .json(try await answer(state, of: prompt))
            }
            guard !services.promptWaiters.isEnded else {
                throw WireError(
                    code: .storeUnavailable,
                    message: "The store is stopping and lets nobody wait; ask again in a moment.")
            }
            let end = await services.promptWaiters.wait(
                for: prompt.id, since: mark, atMost: min(left, Self.rereading))
            if end == .replaced { return try .json(PromptStateAnswer(state: .pending)) }
        }
    }

    func abandon(_ request: HTTPRequest, _ caller: Caller, app: App) async throws -> HTTPResponse {
        try await services.prompts.abandon(try await prompt(of: request, caller, app))
        return HTTPResponse(status: 204)
    }

    // MARK: Parts

    /// The offer that the customer is to be told of.
    private func offer(
        _ wish: PromptOfferWish?, _ product: String, _ caller: Caller, _ catalog: AppCatalog
    ) async throws -> SubscriptionOffer? {
        let account = try caller.signedIn()
        let claim: OfferClaim =
            if let wish, wish.isOfCode == true {
                OfferClaim(identifier: wish.offer.identifier, isOfCode: true)
            } else {
                try await offerClaims.claim(
                    wish?.offer, of: product, username: wish?.applicationUsername, by: account.id,
                    in: catalog.app)
            }
        switch try await services.purchases.charge(for: product, claim, by: account, in: catalog) {
        case .success(let charge): return charge.offer
        case .failure(let refusal): throw WireError(refusal, to: caller.profile.bundleId)
        }
    }

    /// What is asked, where the store would sell what it is about.
    private func subject(
        _ wanted: PromptRequest, _ caller: Caller, _ catalog: AppCatalog
    ) async throws -> PromptSubject {
        switch wanted {
        case .signIn(let email):
            let address = email?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            guard (address?.utf8.count ?? 0) <= EmailAddress.longest else {
                throw WireError(
                    code: .malformedRequest,
                    message: "An email address has at most \(EmailAddress.longest) bytes.")
            }
            return .signIn(email: address)
        case .redeem:
            return .redeem
        case .confirm(let productID, let quantity, let price, let wish):
            let product = try product(productID, caller, catalog)
            guard ProductType.quantities.contains(quantity) else {
                throw WireError(
                    PurchaseRefusal.quantityOutOfRange(quantity), to: caller.profile.bundleId)
            }
            let storefront = try caller.signedIn().storefront
            guard let current = product.price(in: storefront, at: services.customerClock.now())
            else {
                throw WireError(
                    InvalidReason.notInStorefront(storefront.code), to: caller.profile.bundleId)
            }
            guard price == current else {
                throw WireError(
                    PurchaseRefusal.priceChanged(current: current), to: caller.profile.bundleId)
            }
            return .confirm(
                product.details.productID, quantity: quantity, price: current,
                offer: try await offer(wish, productID, caller, catalog))
        case .consent(let productID, let current, let new):
            let product = try product(productID, caller, catalog)
            let currency = try caller.signedIn().storefront.currency
            guard current.currency == currency, new.currency == currency,
                current.thousandths >= 0, new.thousandths > current.thousandths
            else {
                throw WireError(
                    code: .malformedRequest,
                    message: "Consent is asked for a higher price in \(currency).")
            }
            return .consent(product.details.productID, currentPrice: current, newPrice: new)
        case .item(let number, let token, let campaign, let provider):
            let id = ItemID(number: number)
            let storefront = caller.account?.storefront ?? .unitedStates
            try await ItemAvailability(services: services).require(id, in: storefront)
            return .item(
                id, try Self.referral(token: token, campaign: campaign, provider: provider))
        }
    }

    private static func referral(
        token: String?, campaign: String?, provider: String?
    ) throws -> Referral {
        for (name, value) in [
            (ReferralToken.affiliate, token), (.campaign, campaign), (.provider, provider),
        ] {
            guard let value, !name.accepts(value) else { continue }
            throw WireError(
                code: .malformedRequest, message: "\(name.rawValue) has \(name.rule).")
        }
        return Referral(affiliateToken: token, campaign: campaign, provider: provider)
    }

    private func product(
        _ id: String, _ caller: Caller, _ catalog: AppCatalog
    ) throws -> Product {
        let terms = SellingTerms(
            profile: caller.profile.claim, environment: caller.environment, catalog: catalog,
            at: services.customerClock.now())
        switch terms.product(id, storefront: try caller.signedIn().storefront) {
        case .success(let product): return product
        case .failure(let error): throw WireError(error.reason, to: caller.profile.bundleId)
        }
    }

    private func requireOwnEnvironment(_ caller: Caller) throws {
        guard caller.profile.environment == caller.environment else {
            throw WireError.wrongEnvironment(of: caller.profile, in: caller.environment)
        }
    }

    /// The prompt that the request has the secret of.
    private func prompt(
        of request: HTTPRequest, _ caller: Caller, _ app: App
    ) async throws -> Prompt {
        try requireOwnEnvironment(caller)
        guard let id = PromptID(request.parameters.first ?? ""),
            let secret = request.headers[DeviceRoute.promptHeader], secret.utf8.count <= 128,
            let prompt = try await services.prompts.prompt(
                id, secret: secret, app: app.id, environment: caller.environment)
        else {
            throw WireError(
                code: .promptNotFound,
                message: "There is no such prompt, or its secret in the header "
                    + "\(DeviceRoute.promptHeader) is another; ask anew.")
        }
        return prompt
    }

    private func answer(
        _ state: Prompt.State, of prompt: Prompt
    ) async throws -> PromptStateAnswer {
        switch state {
        case .open: return PromptStateAnswer(state: .pending)
        case .expired: return PromptStateAnswer(state: .expired)
        case .left: return PromptStateAnswer(state: .left)
        case .ended(.abandoned): return PromptStateAnswer(state: .abandoned)
        case .ended(.exhausted): return PromptStateAnswer(state: .exhausted)
        case .ended(.decided(.yes)): return PromptStateAnswer(state: .yes)
        case .ended(.decided(.no)): return PromptStateAnswer(state: .no)
        case .ended(.decided(.later)): return PromptStateAnswer(state: .later)
        case .ended(.decided(.done)): return PromptStateAnswer(state: .done)
        case .ended(.decided(.code(let code))):
            return PromptStateAnswer(state: .code, code: code)
        case .ended(.decided(.signedIn)):
            guard let session = try await services.prompts.collect(prompt) else {
                return PromptStateAnswer(state: .collected)
            }
            let storefront = session.account.storefront
            return PromptStateAnswer(
                state: .signedIn,
                session: SessionAnswer(
                    token: session.token, email: session.account.email,
                    storefront: storefront.code, storefrontId: storefront.identifier,
                    expiresDate: session.end.milliseconds))
        }
    }

    /// The seconds that a request is ready to wait; none where it does not say.
    private static func wait(of request: HTTPRequest) throws -> Int {
        guard let text = request.query.first(where: { $0.name == "wait" })?.value else { return 0 }
        guard let seconds = Int(text), seconds >= 0 else {
            throw WireError(
                code: .malformedRequest, message: "wait is a number of seconds, not \"\(text)\".")
        }
        return min(seconds, DeviceRoute.longestWait)
    }
}
