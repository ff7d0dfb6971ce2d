import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

struct ProductInquiryTests {
    @Test func `the same question at the same time goes out once`() async throws {
        let store = try await TestStore()
        let (asking, asked) = (Counter(), Counter())
        let gate = Gate()
        let transport = InterferingTransport(
            before: { request in
                if request.url?.path.hasSuffix("/products") == true { _ = asked.next() }
            },
            hold: { request in
                if request.url?.path.hasSuffix("/products") == true { await gate.passes() }
            })
        let device = try await TestDevice(store, transport: transport).device
        let answers = try await withThrowingTaskGroup(of: ProductsAnswer.self) { group in
            defer { gate.open() }
            for _ in 0..<20 {
                group.addTask {
                    _ = asking.next()
                    return try await device.products([SampleShop.credits, SampleShop.badge])
                }
            }
            // No answer comes before all have begun to ask.
            try await until { asking.value == 20 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 20)
        #expect(Set(answers.map(\.products)).count == 1)
        #expect(asked.value < 20)
        // Another question is another request.
        let before = asked.value
        _ = try await device.products([SampleShop.credits])
        #expect(asked.value == before + 1)
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `an answer is good for as long as the store says, then revalidated`(
        environment: StoreEnvironment
    ) async throws {
        let store = try await TestStore(isApproved: true)
        let clock = SettableClock()
        let seen = Mutex<[(tag: String?, status: Int)]>([])
        let transport = StatusTransport { request, status in
            if request.url?.path.hasSuffix("/products") == true {
                seen.withLock {
                    $0.append((request.value(forHTTPHeaderField: "If-None-Match"), status))
                }
            }
        }
        let folder = try TemporaryFolder()
        let device = try StoreDevice(
            profile: try DeviceProfile(
                text: try await store.profile(environment: environment), source: "test"),
            environment: ["HOME": folder.url.path], transport: transport, now: { clock.now() },
            log: { _ in })
        let first = try await device.products([SampleShop.credits])
        #expect(try await device.products([SampleShop.credits]) == first)
        // The sandbox is asked each time, production once a minute.
        #expect(
            seen.withLock { $0.map(\.status) } == (environment == .sandbox ? [200, 304] : [200]))
        clock.advance(by: 61)
        #expect(try await device.products([SampleShop.credits]) == first)
        let last = try #require(seen.withLock { $0.last })
        #expect(last.status == 304 && last.tag != nil)
        // A purchase asks in any case.
        let count = seen.withLock { $0.count }
        _ = try await device.products([SampleShop.credits], isFresh: true)
        #expect(seen.withLock { $0.count } == count + 1)

        // What has changed comes anew.
        _ = try await store.store.importCatalog(
            configuration: Data(
                String(decoding: SampleShop.configuration, as: UTF8.self)
                    .replacingOccurrences(of: "\"Credits\"", with: "\"Coins\"").utf8),
            content: nil, bundleID: SampleShop.bundleID, appName: "Sample shop", isApproved: true)
        clock.advance(by: 61)
        #expect(try await device.products([SampleShop.credits]).products.first?.title == "Coins")
        #expect(seen.withLock { $0.last?.status } == 200)
    }

    @Test(
        arguments: [
            ("private, max-age=60", 60), ("max-age=0", 0), ("no-store, max-age=60", 0), ("", 0),
            ("max-age=-5", 0), ("max-age=99999999999999999999", 0), ("MAX-AGE=10", 10),
            ("max-age=1000000", 86_400),
        ] as [(String, TimeInterval)])
    func `the lifetime of an answer is what Cache-Control says`(
        header: String, seconds: TimeInterval
    ) {
        #expect(StoreClient.lifetime(header) == seconds)
    }
}

/// The real transport, with somebody who sees the status of each answer.
private final class StatusTransport: RequestTransport {
    private let inner = HTTPTransport()
    private let see: @Sendable (URLRequest, Int) -> Void

    init(see: @escaping @Sendable (URLRequest, Int) -> Void) {
        self.see = see
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await inner.send(request)
        see(request, response.statusCode)
        return (data, response)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        try await inner.stream(request, accept: accept, sink: sink)
    }
}
