import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreWire

/// A store in which there is something of everything, and who may send it requests. It is not
/// opened itself: tests that change it open copies.
package final class FilledShop: Sendable {
    /// What a request carries that comes from somebody.
    package struct Sender: Sendable {
        package var headers: [(name: String, value: String)] = []
        /// What the forms of the sender's browser carry.
        package var formToken: String?

        package init(
            headers: [(name: String, value: String)] = [], formToken: String? = nil
        ) {
            self.headers = headers
            self.formToken = formToken
        }
    }

    package enum Kind: CaseIterable, Sendable {
        case nobody, device, program, customer, person

        /// Those that a route is made for.
        package init(of pattern: String) {
            let isAPI =
                pattern.contains("/inApps/") || pattern.hasPrefix("/connect/v")
                || pattern.hasPrefix("/connect/openstore") || pattern.hasPrefix("/connect/uploads")
            self =
                isAPI
                ? .program
                : pattern.contains("/device/")
                    ? .device : pattern.hasPrefix("/connect") ? .person : .customer
        }
    }

    package let senders: [Kind: [Sender]]
    /// Numbers and names that the store knows.
    package let known: [String]
    private let clock: SettableClock
    /// Holds the folder.
    private let shop: TestStore

    package init(clock: SettableClock = SettableClock()) async throws {
        self.clock = clock
        shop = try await TestStore(isApproved: true, clock: clock, noiseBytes: 3_000)
        var filling = Filling(shop: shop, clock: clock)
        try await filling.run()
        (senders, known) = (filling.senders, filling.known)
        shop.store.close()
    }

    /// A copy of the store that answers requests; whoever opens it closes it.
    package final class Copy: Sendable {
        package let router: Router
        private let store: Store
        private let answers: StoreAnswers
        private let folder: TemporaryFolder

        fileprivate init(of shop: FilledShop, log: EventLog) throws {
            folder = try TemporaryFolder()
            try FileManager.default.copyItem(
                at: shop.shop.folder.file("store"), to: folder.file("store"))
            store = try Store(
                directory: folder.file("store"), clock: shop.clock, vault: OpenSSLVault.forTests,
                log: log)
            answers = try StoreAnswers(
                store: store, settings: ServingSettings(), logsRequests: false,
                interceptionRoot: { nil })
            router = answers.router
        }

        package func answer(to request: HTTPRequest) async -> HTTPResponse {
            if let admission = router.admission(of: request), let refusal = await admission() {
                return refusal
            }
            switch router.respond(to: request) {
            case .now(let response): return response
            case .later(let work): return await work()
            }
        }

        package func close() {
            store.services.events.stop()
            store.services.promptWaiters.end()
            store.close()
        }
    }

    package func copy(log: EventLog = .silent) throws -> Copy { try Copy(of: self, log: log) }
}

/// How the store is filled.
private struct Filling {
    let shop: TestStore
    let clock: SettableClock
    var senders: [FilledShop.Kind: [FilledShop.Sender]] = [.nobody: [FilledShop.Sender()]]
    var known = [
        "1", "2", "3", "0", "-1", "9223372036854775807", "us", "jp", "en-US", "ja",
        SampleShop.bundleID.text, SampleShop.chapter, SampleShop.credits, SampleShop.monthly,
        "1.0", "2027-01-15", "10x10bb.png", "sandbox", "production", "USA", "a.xml",
    ]

    private var services: APIServices { shop.store.services }

    mutating func run() async throws {
        var items: [ItemID] = []
        for kind in [ItemKind.ebook, .album, .song, .movie] {
            items.append(try await shop.addItem("A \(kind) of words", kind))
        }
        known += items.map { "\($0)" }
        for environment in StoreEnvironment.allCases {
            try await addCustomer(in: environment)
            try await addPurchases(in: environment)
            let review = try await shop.addReview(
                4, "Good", "Good words.", of: items[0], by: TestStore.american, in: environment)
            known.append("\(review)")
        }
        let affiliate = try await services.affiliates.create(
            name: "Paths", email: "paths@example.com", basisPoints: 500, token: "paths",
            by: .machine)
        let partner = try await services.feedPartners.create(name: "Feeds", by: .machine)
        known += ["paths", "\(affiliate.id)", "\(partner.partner.id)"]
        let app = try await shop.store.database.read { try $0.catalog.app(SampleShop.bundleID)! }
        known += ["\(app.id.number)", "\(app.teamID)"]
        for (role, team) in [
            (ConnectRole.admin, nil), (.admin, app.teamID), (.developer, app.teamID),
        ] as [(ConnectRole, Int64?)] {
            try await addPrograms(role, team)
        }
        let people = services.people
        _ = try await people.firstOperator.create(
            email: "olga@example.com", name: "Olga", password: TestStore.password, by: .machine)
        let invitation = try await people.invitations.invite(
            email: "grace@example.com", roles: [.admin], to: app.teamID, by: .machine)
        _ = try await people.invitations.accept(
            token: invitation.token, name: "Grace", password: TestStore.password, address: nil)
        for email in ["olga@example.com", "grace@example.com"] { try await addPerson(email) }
    }

    /// A device without and with a session, and a browser.
    private mutating func addCustomer(in environment: StoreEnvironment) async throws {
        let session = try await services.accounts.signIn(
            email: TestStore.american, password: TestStore.password, environment: environment)
        var device = FilledShop.Sender(headers: [
            (
                DeviceRoute.profileHeader,
                try await shop.profile(
                    environment: environment,
                    address: "http://store.example" + environment.pathPrefix)
            ), (DeviceRoute.deviceHeader, "device-1"),
        ])
        senders[.device, default: []].append(device)
        device.headers.append(("Authorization", "Bearer \(session.token)"))
        senders[.device, default: []].append(device)
        guard let visitor = try await services.pageSessions.start(session.account) else { return }
        addBrowser(
            of: .customer, "openstore-\(environment.word)=\(visitor)",
            services.pageSessions.formToken(of: visitor, on: "storefront"))
    }

    private mutating func addPurchases(in environment: StoreEnvironment) async throws {
        let account = try await services.accounts.account(
            email: TestStore.american, environment: environment)
        guard let catalog = try await services.catalog.catalog(of: SampleShop.bundleID) else {
            throw NotSold(outcome: "there is no app")
        }
        let products = [
            SampleShop.chapter, SampleShop.credits, SampleShop.monthly, SampleShop.badge,
        ]
        for (number, product) in products.enumerated() {
            guard
                let price = ProductID(product).flatMap({ catalog.products[$0] })?
                    .price(in: account.storefront, at: clock.now())
            else { throw NotSold(outcome: "\(product) has no price") }
            let outcome = try await services.purchases.buy(
                PurchaseOrder(
                    key: PurchaseKey("purchase-key-\(1000 + number)")!, productID: product,
                    quantity: 1, confirmedPrice: price, applicationUsername: nil,
                    device: "device-1"), by: account,
                profile: ProfileClaim(
                    bundleID: SampleShop.bundleID,
                    applicationIdentifier: ApplicationIdentifier(SampleShop.bundleID),
                    environment: environment, allowsInAppPurchase: true, generation: 1_000),
                catalog: catalog)
            guard case .success(.sold(let sale)) = outcome else {
                throw NotSold(outcome: "\(outcome)")
            }
            known.append("\(sale.record.id)")
            if number == 0 {
                let request = try await services.refunds.ask(
                    sale.record.id, of: account.id, reason: .other, comment: "It is too short."
                ).get()
                known.append("\(request.id)")
            }
        }
    }

    private struct NotSold: Error {
        let outcome: String
    }

    /// One for the API, and one for the app's server.
    private mutating func addPrograms(_ role: ConnectRole, _ team: Int64?) async throws {
        let (key, signer) = try await shop.store.addAPIKey(role, of: team)
        known.append(key.id.text)
        for bundleID in [nil, SampleShop.bundleID.text] {
            let claims = APIToken.Claims(
                issuer: key.issuer.text, issued: bundleID == nil ? clock.now() : nil,
                expiration: clock.now().addingTimeInterval(300),
                audiences: [APITokenRules.audience], bundleID: bundleID)
            let token = try APIToken.sign(claims, keyID: key.id.text, key: signer)
            senders[.program, default: []].append(
                FilledShop.Sender(headers: [("Authorization", "Bearer \(token)")]))
        }
    }

    private mutating func addPerson(_ email: String) async throws {
        let sessions = services.people.sessions
        let session = try await sessions.signIn(
            email: email, password: TestStore.password, kind: .browser, client: "", address: nil)
        addBrowser(
            of: .person, "openstore-connect=\(session.token)",
            services.pageSessions.formToken(of: session.token, on: "connect"))
    }

    private mutating func addBrowser(
        of kind: FilledShop.Kind, _ cookie: String, _ formToken: String
    ) {
        senders[kind, default: []].append(
            FilledShop.Sender(
                headers: [
                    ("Cookie", cookie), ("Sec-Fetch-Site", "same-origin"), ("Host", "localhost"),
                ], formToken: formToken))
    }
}
