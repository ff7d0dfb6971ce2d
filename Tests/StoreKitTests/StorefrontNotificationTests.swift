import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

struct StorefrontNotifications {
    @Test func `an account of another country is announced by both names`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let sheet = OpenStoreScriptedSheet(
            confirm: { _ in false },
            signIn: { question in
                OpenStoreCredentials(
                    email: question.email ?? TestStore.american, password: TestStore.password)
            })
        let device = try StoreDevice(
            profile: try DeviceProfile(text: try await store.profile(), source: "test"),
            environment: ["HOME": folder.url.path], sheet: sheet)
        let (names, continuation) = AsyncStream<Notification.Name>.makeStream()
        let tokens = SendableTokens(
            [Notification.Name.SKStorefrontCountryCodeDidChange, .SKStorefrontIdentifierDidChange]
                .map { name in
                    NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                        continuation.yield($0.name)
                    }
                })
        defer { for token in tokens.all { NotificationCenter.default.removeObserver(token) } }
        _ = try await device.signedIn()
        #expect(try await device.signedIn(as: TestStore.japanese).storefront == "JPN")
        var heard: Set<Notification.Name> = []
        for await name in names {
            heard.insert(name)
            if heard.count == 2 { break }
        }
        #expect(heard == [.SKStorefrontCountryCodeDidChange, .SKStorefrontIdentifierDidChange])
    }
}

/// What takes observers out again.
private struct SendableTokens: @unchecked Sendable {
    // Sendable: only handed back to the center that made them.
    let all: [any NSObjectProtocol]
    init(_ all: [any NSObjectProtocol]) { self.all = all }
}
