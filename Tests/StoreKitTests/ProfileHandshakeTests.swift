import Foundation
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

struct ProfileHandshakes {
    @Test func `the store sees the whole profile once, and its digest from then on`() async throws {
        let store = try await TestStore()
        let headers = Headers()
        let transport = InterferingTransport(before: { request in
            headers.add(request.value(forHTTPHeaderField: DeviceRoute.profileHeader))
        })
        let device = try await TestDevice(store, transport: transport)
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
        let seen = headers.all
        #expect(seen.first?.hasPrefix("ey") == true)
        #expect(seen.count > 2)
        #expect(seen.dropFirst().allSatisfy { $0.hasPrefix("sha256:") && $0.count == 71 })
    }

    @Test func `a store that has forgotten the profile is told again`() async throws {
        let store = try await TestStore()
        let attempts = Counter()
        let transport = InterferingTransport(change: { path, answer in
            // What a store says that was started anew in between.
            guard path.hasSuffix("/products"), attempts.next() == 1 else { return answer }
            throw WireError(code: .profileUnknown, message: "Unknown.")
        })
        let device = try await TestDevice(store, transport: transport)
        _ = try await device.device.signedIn()
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
        #expect(attempts.value == 2)
    }
}

private final class Headers: Sendable {
    private let values = Mutex<[String]>([])

    var all: [String] { values.withLock { $0 } }

    func add(_ value: String?) {
        if let value { values.withLock { $0.append(value) } }
    }
}
