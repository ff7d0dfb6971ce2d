import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// An app's device that puts prompts over a socket, beside a customer's browser.
struct PromptClient: Sendable {
    static let price = Money(thousandths: 1990, currency: "USD")

    let shop: TestStore
    let environment: StoreEnvironment
    let browser: PageBrowser
    private let client: LoopbackClient
    private let profile: String
    var token: String?

    init(
        _ shop: TestStore, environment: StoreEnvironment = .sandbox, signedIn email: String? = nil
    ) async throws {
        self.shop = shop
        self.environment = environment
        client = LoopbackClient(port: shop.server.port)
        browser = PageBrowser(port: shop.server.port)
        profile = try await shop.profile(environment: environment)
        if let email {
            let response = try await send(
                "POST", DeviceRoute.session,
                WireCoding.encode(SignInRequest(email: email, password: TestStore.password)))
            token = try WireCoding.decode(SessionAnswer.self, from: response.data).token
        }
    }

    /// A prompt to buy the chapter.
    static func chapter(quantity: Int = 1) -> PromptRequest {
        .confirm(productId: SampleShop.chapter, quantity: quantity, price: price)
    }

    func send(
        _ method: String, _ path: String, _ body: Data = Data(), secret: String? = nil,
        query: [(name: String, value: String)] = []
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method, path: environment.pathPrefix + path, query: query, body: body)
        request.headers[DeviceRoute.profileHeader] = profile
        request.headers[DeviceRoute.deviceHeader] = "device-1"
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        request.headers[DeviceRoute.promptHeader] = secret
        return try await client.send(request)
    }

    func ask(_ prompt: PromptRequest) async throws -> PromptAnswer {
        let response = try await send("POST", DeviceRoute.prompts, WireCoding.encode(prompt))
        guard response.status == 200 else {
            throw try WireCoding.decode(WireError.self, from: response.data)
        }
        return try WireCoding.decode(PromptAnswer.self, from: response.data)
    }

    /// How a prompt stands; waits where seconds are given.
    func state(_ prompt: PromptAnswer, wait: Int? = nil) async throws -> PromptStateAnswer {
        var anyone = self
        anyone.token = nil
        let response = try await anyone.send(
            "GET", DeviceRoute.prompt(prompt.id), secret: prompt.secret,
            query: wait.map { [("wait", String($0))] } ?? [])
        guard response.status == 200 else {
            throw try WireCoding.decode(WireError.self, from: response.data)
        }
        return try WireCoding.decode(PromptStateAnswer.self, from: response.data)
    }

    /// How a prompt ends, asked for as devices do: a request that nothing was answered to in its
    /// time is followed by another.
    func end(of prompt: PromptAnswer) async throws -> PromptStateAnswer {
        while true {
            let answer = try await state(prompt, wait: 45)
            if answer.state != .pending { return answer }
        }
    }

    /// Opens the page of a prompt in the browser.
    func page(_ prompt: PromptAnswer) async throws -> PageBrowser.Page {
        try await browser.open(prompt.url)
    }
}
