import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire

@testable import StoreAPI

/// The folder of a store in which there is something of everything, and who may send it requests.
struct PreparedShop {
    let folder: URL
    /// Headers of devices, and of programs with keys.
    let devices: [[(name: String, value: String)]]
    let programs: [[(name: String, value: String)]]
    /// Of customers' browsers.
    let cookies: [String]
    /// People in the portal by the tokens of their sessions.
    let visitors: [String: ConnectVisitor]
    /// Numbers and names that the store knows.
    let known: [String]
    /// Holds the folder.
    private let shop: TestStore

    static func make(at clock: SettableClock) async -> PreparedShop {
        do { return try await filled(at: clock) } catch { fail("no store: \(error)") }
    }

    private static func filled(at clock: SettableClock) async throws -> PreparedShop {
        let shop = try await TestStore(isApproved: true, clock: clock, noiseBytes: 3_000)
        let services = shop.store.services
        var devices: [[(name: String, value: String)]] = []
        var programs: [[(name: String, value: String)]] = []
        var cookies: [String] = []
        var known = [
            "1", "2", "3", "0", "-1", "9223372036854775807", "us", "jp", "en-US", "ja",
            SampleShop.bundleID.text, SampleShop.chapter, SampleShop.credits, SampleShop.monthly,
            "1.0", "2027-01-15", "10x10bb.png", "sandbox", "production", "USA", "a.xml",
        ]
        for kind in [ItemKind.ebook, .album, .song, .movie] {
            known.append("\(try await shop.addItem("A \(kind) of words", kind))")
        }
        let app = try await shop.store.database.read { try $0.catalog.app(SampleShop.bundleID)! }
        known += ["\(app.id.number)", "\(app.teamID)"]
        let router = try StoreRoutes(services: services).router()
        func send(
            _ path: String, _ body: some Encodable, _ headers: [(name: String, value: String)]
        ) async throws -> Data {
            let request = HTTPRequest(
                method: "POST", path: path, headers: HTTPHeaders(headers),
                body: try WireCoding.encode(body))
            let outcome = router.respond(to: request)
            let response: HTTPResponse
            switch outcome {
            case .now(let answer): response = answer
            case .later(let work): response = await work()
            }
            guard response.status == 200, case .data(let data) = response.body else {
                fail("\(path) is answered with \(response.status)")
            }
            return data
        }
        for environment in StoreEnvironment.allCases {
            let account = try await services.accounts.account(
                email: TestStore.american, environment: environment)
            cookies.append(
                "openstore-\(environment.word)=\(try await services.pageSessions.start(account))")
            var device: [(name: String, value: String)] = [
                (
                    DeviceRoute.profileHeader,
                    try await shop.profile(
                        environment: environment,
                        address: "http://store.example" + environment.pathPrefix)
                ), (DeviceRoute.deviceHeader, "device-1"),
            ]
            devices.append(device)
            let signIn = SignInRequest(email: TestStore.american, password: TestStore.password)
            let session = try WireCoding.decode(
                SessionAnswer.self,
                from: try await send(environment.pathPrefix + DeviceRoute.session, signIn, device))
            device.append(("Authorization", "Bearer \(session.token)"))
            devices.append(device)
            for (number, (product, price)) in [
                (SampleShop.chapter, Int64(1990)), (SampleShop.credits, 990),
                (SampleShop.monthly, 4990), (SampleShop.badge, 990),
            ].enumerated() {
                let order = PurchaseRequest(
                    purchaseKey: PurchaseKey("purchase-key-\(1000 + number)")!, productId: product,
                    quantity: 1, confirmedPrice: Money(thousandths: price, currency: "USD"),
                    applicationUsername: nil)
                let path = environment.pathPrefix + DeviceRoute.purchases
                let data = try await send(path, order, device)
                let answer = try WireCoding.decode(TransactionAnswer.self, from: data)
                let payload = try services.verifier.verify(answer.signedTransaction) { _ in
                    clock.now()
                }
                let id = try WireCoding.decode(TransactionPayload.self, from: payload).transactionId
                known.append(id.description)
            }
        }
        for (role, team) in [
            (ConnectRole.admin, nil), (.admin, app.teamID), (.developer, app.teamID),
        ] as [(ConnectRole, Int64?)] {
            let (key, file) = try await shop.store.makeAPIKey(
                name: "fuzz", role: role, team: team, in: shop.folder.url)
            for bundleID in [nil, SampleShop.bundleID.text] {
                let claims = APIToken.Claims(
                    issuer: key.issuer.text, issued: bundleID == nil ? clock.now() : nil,
                    expiration: clock.now().addingTimeInterval(300),
                    audiences: [APITokenRules.audience], bundleID: bundleID)
                let token = try APIToken.sign(claims, keyID: key.id.text, key: file.key)
                programs.append([("Authorization", "Bearer \(token)")])
            }
            known.append(key.id.text)
        }
        let roles = Set(ConnectRole.allCases)
        let team = ConnectVisitor.Team(id: app.teamID, name: "Sample")
        let visitors = [
            String(repeating: "s", count: 43): FixedSessions.visitor(roles, team: nil),
            String(repeating: "t", count: 43): FixedSessions.visitor(roles, team: team),
        ]
        shop.store.close()
        return PreparedShop(
            folder: shop.folder.file("store"), devices: devices, programs: programs,
            cookies: cookies, visitors: visitors, known: known, shop: shop)
    }
}
