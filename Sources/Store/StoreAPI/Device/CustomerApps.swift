import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// The requests of a customer's device about apps that it installs. They carry no profile, because
/// no app sends them; the rules of a sale are those of the storefront's pages.
final class CustomerApps: Sendable {
    private static let searchLimit = 10
    private static let longestName = 255
    private static let artworkSize = 512

    private let services: APIServices
    private let sessions: SessionCache
    private let delivery: ContentDelivery

    init(services: APIServices, sessions: SessionCache, delivery: ContentDelivery) {
        self.services = services
        self.sessions = sessions
        self.delivery = delivery
    }

    /// The caller and the storefront.
    private struct Customer {
        let environment: StoreEnvironment
        let account: Account?
        let token: String?
        /// Of the storefront's pages, as the device reaches them.
        let base: String

        var storefront: Storefront { account?.storefront ?? .unitedStates }

        func signedIn() throws -> Account {
            guard let account else { throw WireError.notSignedIn }
            return account
        }
    }

    func perform(
        _ row: DeviceRouteTable.Row, _ request: HTTPRequest, in environment: StoreEnvironment
    ) async throws -> HTTPResponse {
        let customer = try await customer(
            of: request, access: row.access, ignoresToken: row.operation == .customerSignIn,
            environment)
        return switch row.operation {
        case .customerSignIn: try await signIn(request, customer)
        case .customerSignOut: try await signOut(customer)
        case .findApps: try await find(request, customer)
        case .showApp: try .json(try await answer(try await item(request, customer), customer))
        case .buyApp: try await buy(request, customer)
        case .deliverApp: try await deliver(request, customer)
        default: throw DeviceRouteTable.WrongHandler()
        }
    }

    /// - Parameter ignoresToken: whether a session that has ended is ignored.
    /// - Throws: `WireError`, `RequestLimitExceeded`.
    private func customer(
        of request: HTTPRequest, access: RouteAccess, ignoresToken: Bool,
        _ environment: StoreEnvironment
    ) async throws -> Customer {
        let token = ignoresToken ? nil : CallerGate.bearerToken(of: request)
        var account: Account?
        if let token {
            account = try await sessions.account(token: token, environment: environment)
            guard let account else { throw WireError.notSignedIn }
            try services.accountAllowance?.count(.customer(account.id), of: request)
        } else if access == .customer {
            throw WireError.notSignedIn
        }
        return Customer(
            environment: environment, account: account, token: token,
            base: (request.trustedOrigin(isSecure: request.isSecure) ?? request.origin)
                + environment.pathPrefix)
    }

    // MARK: Session

    private func signIn(
        _ request: HTTPRequest, _ customer: Customer
    ) async throws -> HTTPResponse {
        try .json(
            try await SessionAnswer.signingIn(
                try WireCoding.decode(SignInRequest.self, from: request.body),
                to: customer.environment, base: customer.base, from: request.clientAddress,
                services))
    }

    private func signOut(_ customer: Customer) async throws -> HTTPResponse {
        if let token = customer.token {
            try await services.accounts.signOut(token: token)
            sessions.forget(token)
            if let account = customer.account { services.events.nudge(account.id) }
        }
        return HTTPResponse(status: 204)
    }

    // MARK: Apps

    private func find(_ request: HTTPRequest, _ customer: Customer) async throws -> HTTPResponse {
        let name = request.query.first { $0.name == "name" }?.value ?? ""
        guard (1...Self.longestName).contains(name.utf8.count) else {
            throw WireError(
                code: .malformedRequest,
                message: "name has 1 to \(Self.longestName) bytes: an app's name or identifier.")
        }
        let storefront = services.storefront.seen(in: customer.environment)
        var found: [StorefrontItem] = []
        for id in try await services.storefront.ids(.bundleID(name)) {
            if let item = try await item(id, customer) { found.append(item) }
        }
        if found.isEmpty {
            let all = try await storefront.search(
                ItemQuery(
                    term: name, kinds: [.software, .macSoftware], storefront: customer.storefront,
                    limit: Self.searchLimit, environment: customer.environment))
            let same = all.filter { $0.text.title.lowercased() == name.lowercased() }
            found = same.isEmpty ? all : same
        }
        var answers: [AppAnswer] = []
        for item in found where item.item.details.app != nil {
            answers.append(try await answer(item, customer))
        }
        return try .json(AppsAnswer(apps: answers))
    }

    private func buy(_ request: HTTPRequest, _ customer: Customer) async throws -> HTTPResponse {
        let account = try customer.signedIn()
        let order = try WireCoding.decode(AppPurchaseRequest.self, from: request.body)
        let item = try await item(request, customer)
        do {
            _ = try await services.itemSales.buy(
                item.id, expecting: Money(thousandths: order.price, currency: order.currency),
                by: account)
        } catch let refusal as ItemSaleRefusal {
            throw WireError(refusal)
        }
        return try .json(try await answer(item, customer))
    }

    private func deliver(
        _ request: HTTPRequest, _ customer: Customer
    ) async throws -> HTTPResponse {
        let id = try Self.id(request)
        switch try await services.itemSales.right(to: id, of: try customer.signedIn()) {
        case .given: break
        case .notOwned:
            throw WireError(
                code: .itemNotOwned,
                message: "The account has not got the app \(id); get it first.")
        case .withheld:
            throw WireError(
                code: .itemNotOwned,
                message: "The app \(id) is another publisher's. Testers pay nothing, so they "
                    + "install what their own publisher sells.")
        }
        guard let found = try await services.appDeliveries.release(of: id),
            try await services.appDeliveries.permit(found)
        else {
            throw WireError(
                code: .contentNotFound,
                message: "There is nothing of the app \(id) to be installed: its publisher has "
                    + "not uploaded a file of the version on sale.")
        }
        // An app with this profile trusts the server at that address.
        guard let address = request.trustedOrigin(isSecure: request.isSecure) else {
            throw WireError(
                code: .storeUnavailable,
                message: "The store does not know the name that devices reach it by. Let the "
                    + "operator start it with --store, or come by its IP address.")
        }
        return try .json(
            AppDeliveryAnswer(
                signedDelivery: try services.signer.sign(
                    try WireCoding.encode(AppDeliveryPayload(found, at: services.clock.now())),
                    type: SignedKind.appDelivery),
                grant: try delivery.grant(for: found.delivery.digests),
                profile: try await services.profiles.delivered(
                    with: found.app.id, in: customer.environment, address: address)))
    }

    // MARK: Parts

    private static func id(_ request: HTTPRequest) throws -> ItemID {
        let text = request.parameters.first ?? ""
        guard let id = ItemID(text) else { throw ItemAvailability.unknown(text) }
        return id
    }

    /// The app's item: one of the storefront, or one that the account owns.
    private func item(
        _ request: HTTPRequest, _ customer: Customer
    ) async throws -> StorefrontItem {
        let id = try Self.id(request)
        guard let item = try await self.item(id, customer), item.item.details.app != nil else {
            try await ItemAvailability(services: services).require(id, in: customer.storefront)
            throw ItemAvailability.unknown(id.description)
        }
        return item
    }

    private func item(_ id: ItemID, _ customer: Customer) async throws -> StorefrontItem? {
        let seen = services.storefront.seen(in: customer.environment)
        guard let account = customer.account else {
            return try await seen.item(id, in: customer.storefront)
        }
        return try await seen.item(id, in: customer.storefront, orOwnedBy: account.id)
    }

    private func answer(
        _ item: StorefrontItem, _ customer: Customer
    ) async throws -> AppAnswer {
        let isOwned =
            if let account = customer.account {
                try await services.itemSales.owned(item.id, by: account.id) != nil
            } else { false }
        let price = item.price
        let money = price ?? Money(thousandths: 0, currency: item.storefront.currency)
        let locale = item.storefront.locale
        let links = StorefrontLinks(base: customer.base)
        let found = try await services.appDeliveries.release(of: item.id)
        let obstacle =
            price == nil
            ? ItemSaleRefusal.notInStorefront(item.storefront).description
            : item.obstacle?.sentence
        return AppAnswer(
            number: item.id.number, bundleId: item.app?.bundleID.text ?? "",
            name: item.text.title, publisher: item.artist?.name ?? item.sellerName,
            page: links.page(of: item), price: money.thousandths, currency: money.currency,
            displayPrice: money.thousandths == 0 ? "Free" : money.formatted(locale: locale),
            isOwned: isOwned, obstacle: isOwned ? nil : obstacle,
            artwork: item.artwork.map {
                StorefrontLinks(base: customer.environment.pathPrefix)
                    .artwork($0, width: Self.artworkSize, height: Self.artworkSize)
            }, build: found.map { AppBuildAnswer($0) })
    }
}

extension AppBuildAnswer {
    fileprivate init(_ found: AppDeliveryService.AppRelease) {
        self.init(
            version: found.version.version, build: found.build.number,
            format: found.delivery.format, fileName: found.delivery.fileName,
            fileSize: found.build.size, fileDigest: found.build.digest,
            downloadLength: found.delivery.downloadLength,
            unpackedLength: found.delivery.unpackedLength,
            releaseDate: (found.version.released ?? found.version.created).milliseconds,
            whatsNew: found.version.whatsNew)
    }
}

extension AppDeliveryPayload {
    fileprivate init(_ found: AppDeliveryService.AppRelease, at date: Date) {
        self.init(
            appId: found.app.id.number, bundleId: found.app.bundleID.text,
            version: found.version.version, build: found.build.number,
            format: found.delivery.format, manifestDigest: found.delivery.manifestDigest,
            manifestLength: found.delivery.manifestLength,
            downloadLength: found.delivery.downloadLength,
            unpackedLength: found.delivery.unpackedLength, signedDate: date.milliseconds)
    }
}

extension SessionAnswer {
    /// Signs somebody in.
    ///
    /// - Parameter base: of the storefront's pages, which a tester is sent to.
    /// - Throws: `WireError` with `signInRefused`.
    static func signingIn(
        _ credentials: SignInRequest, to environment: StoreEnvironment, base: String,
        from client: String?, _ services: APIServices
    ) async throws -> SessionAnswer {
        do {
            let session = try await services.accounts.signIn(
                email: credentials.email, password: credentials.password,
                environment: environment, client: client)
            let storefront = session.account.storefront
            let settings = try await services.accounts.settings(of: session.account.id)
            return SessionAnswer(
                token: session.token, email: session.account.email, storefront: storefront.code,
                storefrontId: storefront.identifier, expiresDate: session.end.milliseconds,
                asksToBuy: settings.asksToBuy ? true : nil)
        } catch let refusal as AccountRefusal {
            throw WireError(
                code: .signInRefused, message: try await message(refusal, base: base, services))
        }
    }

    /// Why nobody was signed in. A tester who wants to become a customer is sent to the page for
    /// that.
    private static func message(
        _ refusal: AccountRefusal, base: String, _ services: APIServices
    ) async throws -> String {
        guard case .wouldConvert(let email) = refusal else { return refusal.description }
        let tester = try await services.database.read {
            try $0.accounts.account(email: email, in: .sandbox)
        }
        let page = StorefrontLinks(base: base).account(in: tester?.storefront ?? .unitedStates)
        return "\(email) is a tester, and this is the production store. Test with a profile of "
            + "the sandbox. Or sign in at \(page) first: it asks whether to make the tester a "
            + "customer for good, who pays, and tests no longer."
    }
}
