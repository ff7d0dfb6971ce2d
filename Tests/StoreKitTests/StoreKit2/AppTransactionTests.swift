import Foundation
import FoundationNetworking
import StoreCore
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreKit

/// What an app hears of itself: its app transactions, and its age rating.
struct AppTransactionTests {
    private static let offline = InterferingTransport(before: { _ in
        throw URLError(.notConnectedToInternet)
    })

    private static func all(_ device: TestDevice) async throws -> [StoreKit.AppTransaction] {
        try await device.use {
            var found: [StoreKit.AppTransaction] = []
            for await result in StoreKit.AppTransaction.all {
                found.append(try result.payloadValue)
            }
            return found
        }
    }

    private static func age(_ device: TestDevice) async -> Int? {
        await device.use { await AppStore.ageRatingCode }
    }

    @Test func `all has the one app transaction, also without a network`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        #expect(try await Self.all(device).isEmpty)
        try await device.device.signedIn()
        let known = try await Self.all(device)
        let shared = try await device.use { try await StoreKit.AppTransaction.shared.payloadValue }
        #expect(known == [shared])
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder, transport: Self.offline)
        #expect(try await Self.all(later) == known)
        await later.engine.close()
        let stranger = try await TestDevice(store, transport: Self.offline)
        #expect(try await Self.all(stranger).isEmpty)
        await stranger.engine.close()
    }

    @Test func `a loop whose task is cancelled has no app transaction`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        try await device.device.signedIn()
        let gate = Gate()
        let loop = Task {
            await gate.passes()
            return try await Self.all(device)
        }
        loop.cancel()
        gate.open()
        #expect(try await loop.value.isEmpty)
        await device.engine.close()
    }

    @Test func `the age rating is the store's, and without a network the last one`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        #expect(await Self.age(device) == nil)
        try await device.device.signedIn()
        #expect(await Self.age(device) == nil)
        try await store.rate("12+")
        #expect(await Self.age(device) == 12)
        try await store.rate("17+")
        #expect(await Self.age(device) == 17)
        await device.engine.close()

        let later = try await TestDevice(store, folder: folder, transport: Self.offline)
        #expect(await Self.age(later) == 17)
        await later.engine.close()

        try await store.rate(nil)
        let online = try await TestDevice(store, folder: folder)
        #expect(await Self.age(online) == nil)
        await online.engine.close()
        let again = try await TestDevice(store, folder: folder, transport: Self.offline)
        #expect(await Self.age(again) == nil)
        await again.engine.close()
    }

    @Test(arguments: [
        #""ageRatingCode":"17+""#, #""ageRatingCode":1e300"#, #""ageRatingCode":0.5"#,
        #""ageRatingCode":true"#, #""ageRatingCode":[17]"#,
        #""ageRatingCode":99999999999999999999"#,
    ])
    func `an age rating that is no number leaves the one before`(_ lie: String) async throws {
        let store = try await TestStore()
        try await store.rate("9+")
        let lies = Mutex(false)
        let transport = InterferingTransport(change: { path, answer in
            guard lies.withLock({ $0 }), path.hasSuffix("app-transaction") else { return answer }
            let text = String(decoding: answer, as: UTF8.self)
            #expect(text.contains(#""ageRatingCode":9"#))
            return Data(text.replacing(#""ageRatingCode":9"#, with: lie).utf8)
        })
        let device = try await TestDevice(store, transport: transport)
        try await device.device.signedIn()
        #expect(await Self.age(device) == 9)
        lies.withLock { $0 = true }
        #expect(await Self.age(device) == 9)
        await device.engine.close()
    }
}
