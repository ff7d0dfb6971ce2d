import Foundation
import StoreKitTest
import Testing

extension SessionTests {
    @Suite struct `The beginning of a session` {
        @Test func `both APIs load the products of the file`() async throws {
            let session = try Shop.session()
            let products = try await Product.products(for: [Shop.badge, Shop.monthly])
            #expect(Set(products.map(\.id)) == [Shop.badge, Shop.monthly])
            #expect(products.first { $0.id == Shop.badge }?.displayName == "A badge")
            let response = try await ProductsAnswer.of([Shop.badge, "com.example.shop.unknown"])
            #expect(response.products.map(\.productIdentifier) == [Shop.badge])
            #expect(response.invalidProductIdentifiers == ["com.example.shop.unknown"])
            withExtendedLifetime(session) {}
        }

        @Test func `a file by its URL begins a session as well`() async throws {
            let folder = try Folder()
            let file = try folder.write("Other.storekit", Folder.shop())
            let session = try SKTestSession(contentsOf: file)
            session.disableDialogs = true
            let bought = try await Shop.buy(Shop.badge)
            #expect(bought.productID == Shop.badge)
        }

        @Test func `a purchase by the new API is signed, and says Xcode`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.badge)
            #expect(bought.environment == .xcode)
            #expect(bought.purchaseDate == session.openStoreDate)
            #expect(await Shop.entitlements() == [Shop.badge])
            let app = try await AppTransaction.shared
            #expect(try app.payloadValue.environment == .xcode)
        }

        @Test func `a purchase by the original API arrives at the observer`() async throws {
            let session = try Shop.session()
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let response = try await ProductsAnswer.of([Shop.credits])
            SKPaymentQueue.default().add(SKPayment(product: try #require(response.products.first)))
            let heard = try await observer.next(.purchased)
            #expect(heard.product == Shop.credits)
            let known = session.allTransactions()
            #expect(known.map(\.productIdentifier) == [Shop.credits])
            #expect(known.first.map { String($0.identifier) } == heard.identifier)
        }

        @Test func `an observer and a loop of the app go over to the next session`() async throws {
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            var identifiers: [UInt64] = []
            for _ in 1...3 {
                let session = try Shop.session()
                let bought = try await session.buyProduct(identifier: Shop.badge)
                #expect(try await observer.next(.purchased).product == Shop.badge)
                #expect(try await updates.next().id == bought.id)
                identifiers.append(bought.id)
            }
            // Each session's store is new: the same calls give the same numbers.
            #expect(Set(identifiers).count == 1)
        }

        @Test func `what the session before has sold finishes nothing of this one`() async throws {
            let queue = SKPaymentQueue.default()
            let observer = Observer(finishes: false)
            queue.add(observer)
            defer { queue.remove(observer) }
            let former = try Shop.session()
            let old = try await former.buyProduct(identifier: Shop.badge)
            _ = try await observer.next(.purchased)
            let oldOfQueue = try #require(queue.transactions.first)
            let session = try Shop.session()
            let bought = try await session.buyProduct(identifier: Shop.credits)
            // The numbers begin anew.
            #expect(bought.id == old.id)
            await old.finish()
            queue.finishTransaction(oldOfQueue)
            try await session.openStoreSettle()
            #expect(await Shop.unfinished() == [Shop.credits])
            #expect(queue.transactions.map(\.payment.productIdentifier) == [Shop.credits])
            await bought.finish()
            try await session.openStoreSettle()
            #expect(await Shop.unfinished().isEmpty)
            #expect(queue.transactions.isEmpty)
            withExtendedLifetime(former) {}
        }

        @Test func `the session before is over`() async throws {
            let first = try Shop.session()
            _ = try Shop.session()
            let error = #expect(throws: SKTestError.self) {
                try first.refundTransaction(identifier: UInt(1))
            }
            #expect(error?.code == .serviceUnavailable)
        }

        @Test(arguments: [
            ("missing.storekit", nil, SKTestError.Code.fileNotFound, "There is no file"),
            ("shop.json", "{}", .invalidURL, ".storekit"),
            ("broken.storekit", "{", .invalidURL, "not JSON"),
            (
                "wrong.storekit", #"{"version":{"major":3},"products":[{}]}"#, .invalidURL,
                "products"
            ),
        ])
        func `a file that is none is refused with a sentence`(
            name: String, text: String?, code: SKTestError.Code, words: String
        ) throws {
            let folder = try Folder()
            let file =
                if let text { try folder.write(name, Data(text.utf8)) } else { folder.file(name) }
            let error = #expect(throws: SKTestError.self) { try SKTestSession(contentsOf: file) }
            #expect(error?.code == code)
            #expect(error?.localizedDescription.contains(words) == true)
        }

        @Test func `a name that no bundle has is refused`() throws {
            let error = #expect(throws: SKTestError.self) {
                try SKTestSession(configurationFileNamed: "Nowhere")
            }
            #expect(error?.code == .fileNotFound)
        }
    }
}

/// Asks by the original API.
final class ProductsAnswer: NSObject, SKProductsRequestDelegate, Sendable {
    private let answer: CheckedContinuation<SKProductsResponse, any Error>

    private init(_ answer: CheckedContinuation<SKProductsResponse, any Error>) {
        self.answer = answer
    }

    static func of(_ identifiers: Set<String>) async throws -> SKProductsResponse {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        var delegate: ProductsAnswer?
        defer { withExtendedLifetime(delegate) {} }
        return try await withCheckedThrowingContinuation { continuation in
            let made = ProductsAnswer(continuation)
            delegate = made
            request.delegate = made
            request.start()
        }
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        answer.resume(returning: response)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        answer.resume(throwing: error)
    }
}

/// A folder that goes with its test.
final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("session-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func write(_ name: String, _ data: Data) throws -> URL {
        try data.write(to: file(name))
        return file(name)
    }

    /// The shop of the tests' resources.
    static func shop() throws -> Data {
        let file = try #require(Bundle.module.url(forResource: "Shop", withExtension: "storekit"))
        return try Data(contentsOf: file)
    }
}
