import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// What the device routes do once it is clear who is calling: decode, call the rules,
/// sign, encode.
struct DeviceOperations: Sendable {
    private let services: APIServices
    private let sessions: SessionCache
    private let catalogs: CatalogCache
    private let products: ProductAnswers
    private let transactions: TransactionSigner
    private let delivery: ContentDelivery
    private let prompts: PromptOperations

    init(
        services: APIServices, sessions: SessionCache, catalogs: CatalogCache,
        products: ProductAnswers, delivery: ContentDelivery
    ) {
        self.services = services
        self.sessions = sessions
        self.catalogs = catalogs
        self.products = products
        self.delivery = delivery
        self.prompts = PromptOperations(services: services)
        self.transactions = TransactionSigner(signer: services.signer, clock: services.clock)
    }

    func perform(
        _ operation: DeviceOperation, _ request: HTTPRequest, by caller: Caller
    ) async throws -> HTTPResponse {
        switch operation {
        case .signIn: try await signIn(request, caller)
        case .signOut: try await signOut(caller)
        case .products: try await products.make(request, for: caller)
        case .purchase: try await purchase(request, caller)
        case .unfinished: try await unfinished(caller)
        case .finish: try await finish(request, caller)
        case .download: try await download(request, caller)
        case .restore: try await restore(request, caller)
        case .ask: try await prompts.ask(request, caller, catalog: try await catalog(of: caller))
        case .awaitAnswer:
            try await prompts.awaitAnswer(request, caller, app: try await catalog(of: caller).app)
        case .abandon:
            try await prompts.abandon(request, caller, app: try await catalog(of: caller).app)
        case .content: preconditionFailure("content is routed by its grant, not by a caller")
        }
    }

    // MARK: Session

    private func signIn(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        guard caller.profile.environment == caller.environment else {
            throw WireError.wrongEnvironment(of: caller.profile, in: caller.environment)
        }
        let credentials = try WireCoding.decode(SignInRequest.self, from: request.body)
        do {
            let session = try await services.accounts.signIn(
                email: credentials.email, password: credentials.password,
                environment: caller.environment)
            let storefront = session.account.storefront
            return try .json(
                SessionAnswer(
                    token: session.token, email: session.account.email,
                    storefront: storefront.code, storefrontId: storefront.identifier,
                    expiresDate: session.end.milliseconds))
        } catch let refusal as AccountRefusal {
            throw WireError(code: .signInRefused, message: refusal.description)
        }
    }

    private func signOut(_ caller: Caller) async throws -> HTTPResponse {
        if let token = caller.token {
            try await services.accounts.signOut(token: token)
            sessions.forget(token)
        }
        products.forget()
        return HTTPResponse(status: 204)
    }

    // MARK: Transactions

    private func purchase(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(PurchaseRequest.self, from: request.body)
        let order = PurchaseOrder(
            key: wanted.purchaseKey, productID: wanted.productId, quantity: wanted.quantity,
            confirmedPrice: wanted.confirmedPrice,
            applicationUsername: Self.accountToken(wanted.applicationUsername),
            device: caller.device)
        let result = try await services.purchases.buy(
            order, by: try caller.signedIn(), profile: caller.profile.claim,
            catalog: try await catalog(of: caller))
        switch result {
        case .success(let sale): return try .json(try transactions.answer(sale))
        case .failure(let refusal): throw WireError(refusal)
        }
    }

    private func unfinished(_ caller: Caller) async throws -> HTTPResponse {
        let sales = try await services.purchases.unfinished(
            by: try caller.signedIn(), in: try await catalog(of: caller), device: caller.device)
        return try .json(
            TransactionsAnswer(transactions: try sales.map { try transactions.answer($0) }))
    }

    private func finish(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id = try Self.transactionID(request)
        let app = try await catalog(of: caller).app
        guard try await services.purchases.finish(id, by: try caller.signedIn(), in: app) else {
            throw WireError.transactionNotFound(id)
        }
        return HTTPResponse(status: 204)
    }

    private func restore(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(RestoreRequest.self, from: request.body)
        let sales = try await services.purchases.restore(
            key: wanted.restoreKey, by: try caller.signedIn(), in: try await catalog(of: caller),
            device: caller.device,
            applicationUsername: Self.accountToken(wanted.applicationUsername))
        return try .json(
            TransactionsAnswer(transactions: try sales.map { try transactions.answer($0) }))
    }

    private func download(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id = try Self.transactionID(request)
        let wanted = try WireCoding.decode(DownloadRequest.self, from: request.body)
        let catalog = try await catalog(of: caller)
        let entry = try await services.purchases.entry(
            id, by: try caller.signedIn(), in: catalog.app)
        guard let entry else { throw WireError.transactionNotFound(id) }
        return try .json(try delivery.permit(wanted, for: entry, in: catalog))
    }

    // MARK: Parts

    /// The catalog of the caller's app.
    private func catalog(of caller: Caller) async throws -> AppCatalog {
        guard let catalog = try await catalogs.catalog(of: caller.profile.bundleId) else {
            throw WireError(
                InvalidReason.profileWrong("the store has no app \(caller.profile.bundleId)"))
        }
        return catalog
    }

    private static func transactionID(_ request: HTTPRequest) throws -> TransactionID {
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
