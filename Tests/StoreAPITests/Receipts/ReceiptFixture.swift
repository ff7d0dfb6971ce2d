import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A shop whose publisher's server has receipts verified.
struct ReceiptFixture: Sendable {
    static let device = Data((0..<16).map { UInt8($0) })

    let server: ServerShop
    private let transport: @Sendable (HTTPRequest) async throws -> HTTPResponse

    var shop: TestStore { server.shop }
    var clock: SettableClock { server.clock }

    /// - Parameter services: takes the place of the store's.
    init(
        altitude: Altitude = .router, services: ((TestStore) throws -> APIServices)? = nil
    ) async throws {
        let server = try await ServerShop()
        self.server = server
        switch altitude {
        case .router:
            let router = try StoreRoutes(
                services: try services?(server.shop) ?? server.shop.store.services
            ).router()
            transport = { try await router.response(to: $0) }
        case .socket:
            let client = LoopbackClient(port: server.shop.server.port)
            transport = { try await client.send($0) }
        }
    }

    // MARK: Asking

    func send(
        _ body: Data, in environment: StoreEnvironment = .sandbox, method: String = "POST",
        headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        try await transport(
            HTTPRequest(
                method: method, path: environment.pathPrefix + "/verifyReceipt", headers: headers,
                body: body))
    }

    /// The JSON of an answer, which has the status 200 whatever stands in it.
    func ask(
        _ body: Data, in environment: StoreEnvironment = .sandbox, method: String = "POST"
    ) async throws -> JSONValue {
        let response = try await send(body, in: environment, method: method)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["Cache-Control"] == "no-store")
        return try JSONValue(reading: response.data)
    }

    func verify(
        _ receipt: Data, password: String? = nil, withoutOld: Bool = false,
        in environment: StoreEnvironment = .sandbox
    ) async throws -> JSONValue {
        try await ask(
            Self.body(receipt, password: password, withoutOld: withoutOld), in: environment)
    }

    /// The number of an answer that has nothing beside it.
    func refusal(
        _ receipt: Data, password: String? = nil, in environment: StoreEnvironment = .sandbox
    ) async throws -> Int? {
        try await number(Self.body(receipt, password: password), in: environment)
    }

    func number(
        _ body: Data, in environment: StoreEnvironment = .sandbox, method: String = "POST"
    ) async throws -> Int? {
        let answer = try await ask(body, in: environment, method: method)
        #expect(answer.members.map { Array($0.keys) } == ["status"])
        return answer["status"]?.integer
    }

    static func body(
        _ receipt: Data, password: String? = nil, withoutOld: Bool = false
    ) -> Data {
        var members: [String: JSONValue] = [
            "receipt-data": .string(receipt.base64EncodedString())
        ]
        if let password { members["password"] = .string(password) }
        if withoutOld { members["exclude-old-transactions"] = true }
        return JSONValue.object(members).encoded()
    }

    // MARK: Having

    /// The receipt of a device as it is now.
    func receipt(
        _ client: APIClient, properties: ReceiptProperties? = nil
    ) async throws -> Data {
        let answer: ReceiptAnswer = try await client.post(
            DeviceRoute.receipt,
            ReceiptRequest(
                deviceIdentifier: Self.device, applicationVersion: "7", properties: properties))
        return answer.receipt
    }

    /// The receipt of one transaction.
    func receipt(of transaction: TransactionPayload, _ client: APIClient) async throws -> Data {
        let answer: ReceiptAnswer = try await client.post(
            DeviceRoute.receipt(of: "\(transaction.transactionId)"),
            ReceiptRequest(deviceIdentifier: Self.device, applicationVersion: "7"))
        return answer.receipt
    }

    /// A fresh secret of the app.
    func secret() async throws -> String {
        try await shop.store.services.sharedSecrets.generate(
            for: .app(try await server.app().id), by: .machine
        ).text
    }

    /// What a receipt says, once its signature leads to the store's root.
    func read(_ receipt: Data) throws -> AppReceipt {
        try ReceiptVerifier(root: shop.store.keys.root).verify(receipt)
    }
}

extension JSONValue {
    /// The members of each element of a list.
    func list(_ name: String) throws -> [JSONValue] {
        try #require(self[name]?.elements)
    }

    /// A date in the three forms that each has, whose plain one is GMT.
    func date(_ name: String) -> [String?] {
        [self[name]?.text, self["\(name)_ms"]?.text, self["\(name)_pst"]?.text]
    }

    var names: Set<String> { Set(members.map { Array($0.keys) } ?? []) }
}
