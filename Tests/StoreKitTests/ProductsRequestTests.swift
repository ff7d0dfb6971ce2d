import Foundation
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

struct ProductsRequests {
    @Test func `texts and prices follow the account's storefront`() async throws {
        let store = try await TestStore()
        let japanese = try await TestDevice(store, email: TestStore.japanese)
        _ = try await japanese.device.signedIn()
        let answers = DelegateRecorder()
        let request = SKProductsRequest(
            productIdentifiers: [SampleShop.chapter], device: japanese.device)
        request.delegate = answers
        request.start()
        let product = try #require(try await answers.response().products.first)
        #expect(product.localizedTitle == "第一章")
        #expect(product.localizedDescription == "日本語で")
        #expect(product.price == 240)
        #expect(product.priceLocale.currency?.identifier == "JPY")
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        #expect(formatter.string(from: product.price) == "¥240")
        #expect(product.isDownloadable)
        #expect(product.downloadContentVersion == "1.0")
        #expect(try #require(product.downloadContentLengths.first).int64Value > 300_000)
        #expect(japanese.device.storefront?.countryCode == "JPN")
    }

    @Test(arguments: [String(repeating: "a", count: 250), "e\u{301}n", "en_US@currency=EUR"])
    func `a locale that is none is an error, and gets to no formatter`(_ locale: String)
        async throws
    {
        let transport = InterferingTransport(change: { path, answer in
            guard path.hasSuffix(DeviceRoute.products) else { return answer }
            let text = String(decoding: answer, as: UTF8.self)
            return Data(text.replacingOccurrences(of: "en_US", with: locale).utf8)
        })
        let device = try await TestDevice(
            try await TestStore(hasContent: false), transport: transport)
        let answers = DelegateRecorder()
        let request = SKProductsRequest(
            productIdentifiers: [SampleShop.badge], device: device.device)
        request.delegate = answers
        request.start()
        #expect(try await answers.next() == "failed SKErrorDomain 0")
        let product = SKProduct(
            WireProduct(
                productId: "a", type: "", title: "", description: "",
                price: Money(thousandths: 990, currency: "USD"), locale: locale,
                familyShareable: false, content: nil, subscription: nil))
        #expect(product.priceLocale.identifier == "en_US@currency=XXX")
    }

    @Test func `an unknown identifier is invalid with a reason, in the log too`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let answers = DelegateRecorder()
        let request = SKProductsRequest(
            productIdentifiers: [SampleShop.badge, "com.example.shop.bagde"], device: device.device)
        request.delegate = answers
        request.start()
        let response = try await answers.response()
        #expect(response.products.map(\.productIdentifier) == [SampleShop.badge])
        #expect(response.invalidProductIdentifiers == ["com.example.shop.bagde"])
        let invalid = try #require(response.openStoreInvalidProducts.first)
        #expect(invalid.reason == "unknownIdentifier")
        #expect(invalid.message.contains(SampleShop.badge))
        #expect(device.recorder.logged.contains { $0.contains("com.example.shop.bagde") })
    }

    @Test func `with a production profile the reason is given to those who ask for it`()
        async throws
    {
        let store = try await TestStore(hasContent: false, isApproved: true)
        let device = try await TestDevice(
            store, profile: try await store.profile(environment: .production))
        let answers = DelegateRecorder()
        let request = SKProductsRequest(
            productIdentifiers: [SampleShop.badge, "com.example.shop.bagde"],
            device: device.device)
        request.delegate = answers
        request.start()
        let response = try await answers.response()
        // The rest of the shop goes on.
        #expect(response.products.map(\.productIdentifier) == [SampleShop.badge])
        #expect(response.invalidProductIdentifiers == ["com.example.shop.bagde"])
        #expect(response.openStoreInvalidProducts.map(\.reason) == ["unknownIdentifier"])
        #expect(device.recorder.logged.isEmpty)
        #expect(OpenStore.wantsLog(["OPENSTORE_LOG": "1"]) && !OpenStore.wantsLog([:]))
    }

    @Test func `nothing asked for is answered with nothing`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let answers = DelegateRecorder()
        let request = SKProductsRequest(productIdentifiers: [], device: device.device)
        request.delegate = answers
        request.start()
        let response = try await answers.response()
        #expect(response.products.isEmpty && response.invalidProductIdentifiers.isEmpty)
        #expect(try await answers.next() == "finished")
    }

    @Test func `an unreachable store is a URLError`() async throws {
        let store = try await TestStore()
        let profile = try await store.profile(address: "http://127.0.0.1:1")
        let device = try await TestDevice(store, profile: profile)
        let answers = DelegateRecorder()
        let request = SKProductsRequest(productIdentifiers: ["a"], device: device.device)
        request.delegate = answers
        request.start()
        #expect(try await answers.next() == "failed NSURLErrorDomain -1004")
    }

    @Test func `a profile of another store is refused with the store's words`() async throws {
        let store = try await TestStore()
        let other = try await TestStore(hasContent: false, hasOwnKeys: true)
        let profile = try await other.profile(address: store.server.address)
        let device = try await TestDevice(store, profile: profile)
        let answers = DelegateRecorder()
        let request = SKProductsRequest(productIdentifiers: ["a"], device: device.device)
        request.delegate = answers
        request.start()
        #expect(try await answers.next() == "failed SKErrorDomain 1")
        let error = try #require(answers.lastError as? SKError)
        #expect(error.localizedDescription.contains("not made by this store"))
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.userInfo["code"] as? String == "profileUntrusted")
    }

    @Test func `a cancelled request says nothing`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let answers = DelegateRecorder()
        let cancelled = SKProductsRequest(productIdentifiers: ["a"], device: device.device)
        cancelled.delegate = answers
        cancelled.start()
        cancelled.cancel()
        let other = SKProductsRequest(
            productIdentifiers: [SampleShop.badge], device: device.device)
        other.delegate = answers
        other.start()
        #expect(try await answers.response().products.count == 1)
        #expect(try await answers.next() == "finished")
    }
}

/// A delegate that writes down what it hears.
private final class DelegateRecorder: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    // Sendable: `lastResponse` and `lastError` are written on the main queue before the
    // event that a test waits for.
    private let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private(set) var lastResponse: SKProductsResponse?
    private(set) var lastError: (any Error)?

    override init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func next() async throws -> String {
        for await event in events { return event }
        throw Recorder.Ended()
    }

    func response() async throws -> SKProductsResponse {
        guard try await next() == "response", let response = lastResponse else {
            throw Recorder.Ended()
        }
        return response
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        lastResponse = response
        continuation.yield("response")
    }

    func requestDidFinish(_ request: SKRequest) {
        continuation.yield("finished")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        lastError = error
        continuation.yield("failed \((error as NSError).domain) \((error as NSError).code)")
    }
}
