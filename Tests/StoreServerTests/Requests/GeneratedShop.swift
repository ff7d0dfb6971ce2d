import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire

@testable import StoreServer

/// A filled store with everybody who may send it requests.
struct GeneratedShop {
    /// What a request carries that comes from somebody.
    struct Sender {
        var headers: [(name: String, value: String)] = []
        /// What the forms of the sender's browser carry.
        var formToken: String?
    }

    enum Kind: CaseIterable {
        case nobody, device, program, customer, person

        /// Those that a route is made for.
        init(of pattern: String) {
            let isAPI =
                pattern.contains("/inApps/") || pattern.hasPrefix("/connect/v")
                || pattern.hasPrefix("/connect/uploads")
            self =
                isAPI
                ? .program
                : pattern.contains("/device/")
                    ? .device : pattern.hasPrefix("/connect") ? .person : .customer
        }
    }

    let router: Router
    private(set) var senders: [Kind: [Sender]] = [.nobody: [Sender()]]
    /// Numbers and names that the store knows.
    private(set) var known = [
        "1", "2", "3", "us", "jp", "en-US", SampleShop.bundleID.text, SampleShop.chapter,
        SampleShop.credits, SampleShop.monthly, "1.0", "2027-01-15", "10x10bb.png",
    ]
    /// Holds the store.
    private let shop: TestStore

    init() async throws {
        let clock = SettableClock()
        shop = try await TestStore(isApproved: true, clock: clock, noiseBytes: 3_000)
        router = try StoreAnswers(
            store: shop.store, settings: ServingSettings(), logsRequests: false,
            interceptionRoot: { nil }
        ).router
        for kind in [ItemKind.ebook, .album, .movie] {
            known.append("\(try await shop.addItem("A \(kind) of words", kind))")
        }
        for environment in StoreEnvironment.allCases { try await addCustomer(in: environment) }
        try await addProgram(clock.now())
        try await addOperator()
    }

    private mutating func addCustomer(in environment: StoreEnvironment) async throws {
        let services = shop.store.services
        let session = try await services.accounts.signIn(
            email: TestStore.american, password: TestStore.password, environment: environment)
        senders[.device, default: []].append(
            Sender(headers: [
                (
                    DeviceRoute.profileHeader,
                    try await shop.profile(
                        environment: environment,
                        address: "http://store.example" + environment.pathPrefix)
                ),
                (DeviceRoute.deviceHeader, "device-1"),
                ("Authorization", "Bearer \(session.token)"),
            ]))
        let visitor = try await services.pageSessions.start(session.account)
        addBrowser(
            of: .customer, "openstore-\(environment.word)=\(visitor)",
            services.pageSessions.formToken(of: visitor, on: "storefront"))
    }

    private mutating func addProgram(_ now: Date) async throws {
        let (key, file) = try await shop.store.makeAPIKey(
            name: "generated", role: .admin, team: nil, in: shop.folder.url)
        for bundleID in [nil, SampleShop.bundleID.text] {
            let claims = APIToken.Claims(
                issuer: key.issuer.text, issued: bundleID == nil ? now : nil,
                expiration: now.addingTimeInterval(300), audiences: [APITokenRules.audience],
                bundleID: bundleID)
            let token = try APIToken.sign(claims, keyID: key.id.text, key: file.key)
            senders[.program, default: []].append(
                Sender(headers: [("Authorization", "Bearer \(token)")]))
        }
    }

    private mutating func addOperator() async throws {
        let people = shop.store.services.people
        _ = try await people.firstOperator.create(
            email: "olga@example.com", name: "Olga", password: TestStore.password, by: .machine)
        let session = try await people.sessions.signIn(
            email: "olga@example.com", password: TestStore.password, kind: .browser, client: "",
            address: nil)
        addBrowser(
            of: .person, "openstore-connect=\(session.token)",
            people.sessions.formToken(of: session.token, on: "connect"))
    }

    private mutating func addBrowser(of kind: Kind, _ cookie: String, _ formToken: String) {
        senders[kind, default: []].append(
            Sender(
                headers: [
                    ("Cookie", cookie), ("Sec-Fetch-Site", "same-origin"), ("Host", "localhost"),
                ], formToken: formToken))
    }

    func answer(to request: HTTPRequest) async -> HTTPResponse {
        if let admission = router.admission(of: request), let refusal = await admission() {
            return refusal
        }
        switch router.respond(to: request) {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }
}
