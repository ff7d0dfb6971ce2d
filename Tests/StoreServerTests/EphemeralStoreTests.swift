import Foundation
import StoreCore
import StoreKit
import StoreServer
import StoreTestSupport
import Testing

@Suite struct `Stores of tests` {
    enum Use: CaseIterable {
        case nothing, opened, signedIn, requested, advanced
    }

    private final class Left {
        weak var store: Store?
        weak var device: StoreDevice?
    }

    private func use(_ use: Use, _ left: Left) async throws {
        let clock = TestClock(Date())
        let ephemeral = try EphemeralStore(
            in: FileManager.default.temporaryDirectory, clock: clock, isPrepared: true)
        left.store = ephemeral.store
        defer { ephemeral.remove() }
        guard use != .nothing else { return }
        let shop = try await ephemeral.open(configuration: SampleShop.configuration)
        guard use != .opened else { return }
        let device = try StoreDevice(
            profile: DeviceProfile(text: shop.profile, source: "test"),
            environment: ["HOME": ephemeral.folder.path, "OPENSTORE_DOWNLOADS": "inside"])
        left.device = device
        try await device.signIn(email: EphemeralStore.email, password: shop.password)
        guard use != .signedIn else { return }
        let engine = PaymentEngine { device }
        await PaymentEngine.$ofTask.withValue(engine) {
            for await _ in Transaction.all {}
        }
        await engine.close()
        guard use != .requested else { return }
        try await TestShop(ephemeral, shop, clock: clock).advance(by: 86_400 * 40) {}
    }

    @Test(arguments: Use.allCases)
    func `nothing of a store is left when it is removed`(_ use: Use) async throws {
        let left = Left()
        try await self.use(use, left)
        // A thread of a pool may still come to the end of its last work.
        try await until { left.store == nil && left.device == nil }
    }

    @Test func `the store believes a clock that a test has moved, to the end of its certificate`()
        async throws
    {
        let clock = TestClock(Date())
        let ephemeral = try EphemeralStore(
            in: FileManager.default.temporaryDirectory, clock: clock, isPrepared: true)
        defer { ephemeral.remove() }
        _ = try await ephemeral.store.believedTime()
        let shop = try await ephemeral.open(configuration: SampleShop.configuration)
        let test = TestShop(ephemeral, shop, clock: clock)
        try await test.advance(by: 86_400 * 400) {}
        #expect(try await ephemeral.store.believedTime() == clock.now())
        let refusal = await #expect(throws: TestRefusal.self) {
            try await test.advance(by: 86_400 * 366 * 20) {}
        }
        #expect(refusal?.description.contains("root certificate ends") == true)
    }

    @Test func `what a process that was killed has left is removed, and what is in use stays`()
        throws
    {
        let place = try TemporaryFolder()
        let ephemeral = try EphemeralStore(in: place.url, isPrepared: true)
        let left = place.url.appendingPathComponent("openstore-test-left")
        let young = place.url.appendingPathComponent("openstore-test-without-a-lock-yet")
        let strange = place.url.appendingPathComponent("else")
        for folder in [left, young, strange] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }
        for folder in [left, strange] {
            try Data().write(to: folder.appendingPathComponent("lock"))
        }
        EphemeralStore.removeLeftovers(in: place.url)
        let exists = [ephemeral.folder, left, young, strange].map {
            FileManager.default.fileExists(atPath: $0.path)
        }
        #expect(exists == [true, false, true, true])
        ephemeral.remove()
        #expect(!FileManager.default.fileExists(atPath: ephemeral.folder.path))
    }
}
