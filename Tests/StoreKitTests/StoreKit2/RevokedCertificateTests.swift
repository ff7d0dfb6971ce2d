import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A key of the store was stolen, and its certificate taken back: what it has signed is not
/// verified on a device that has heard of it, whenever it was signed.
struct RevokedCertificateTests {
    private typealias Info = StoreKit.Product.SubscriptionInfo

    /// A shop behind a store that lies at times, and a device's folder.
    private struct Fixture {
        let store: TestStore
        let liar: LyingStore
        let folder: TemporaryFolder

        init() async throws {
            store = try await TestStore(noiseBytes: 1000)
            liar = try LyingStore(before: store)
            folder = try TemporaryFolder()
        }

        func profile() async throws -> String { try await store.profile(address: liar.address) }

        /// A launch of the app, with or without a network.
        func launch(_ profile: String, isOffline: Bool = false) async throws -> TestDevice {
            try await TestDevice(
                store, folder: folder,
                transport: isOffline
                    ? InterferingTransport(before: { _ in throw URLError(.notConnectedToInternet) })
                    : nil,
                profile: profile)
        }

        /// A launch in which the app buys something of each kind that stays.
        func buy(_ profile: String) async throws {
            let device = try await launch(profile)
            for product in [SampleShop.badge, SampleShop.monthly] {
                let bought = try #require(try await device.purchase(product))
                await device.use { await bought.finish() }
            }
            try await device.use { try await AppStore.sync() }
            #expect(try await device.kinds() == ["verified"])
            await device.engine.close()
        }

        func status(_ role: KeyRole) throws -> StoreCertificate {
            try #require(
                try store.store.keys.certificates().first { $0.role == role && $0.isCurrent })
        }

        func revoke(_ role: KeyRole) throws -> String {
            let serial = try status(role).serial
            _ = try store.store.keys.revoke(serial, at: Date())
            return serial.text
        }
    }

    /// A history with transactions is lost; one that says that nothing has changed arrives.
    private static let losingTransactions = LyingStore.Lie.changed { body in
        let answer = try? WireCoding.decode(DeviceHistoryAnswer.self, from: body)
        return answer?.transactions.isEmpty == true ? body : Data()
    }

    @Test
    func `what a revoked key has signed is not verified, also offline, until it is signed anew`()
        async throws
    {
        let fixture = try await Fixture()
        try await fixture.buy(try await fixture.profile())
        let stolen = try fixture.status(.signing).serial
        try fixture.store.store.keys.rotate(at: Date())
        let profile = try await fixture.profile()
        _ = try fixture.store.store.keys.revoke(stolen, at: Date())

        // The device hears of it, and what the store signs anew is lost on its way.
        fixture.liar.keepTelling(Self.losingTransactions, about: DeviceRoute.history)
        let second = try await fixture.launch(profile)
        #expect(await second.fetch() != nil)
        #expect(try await second.kinds() == ["revokedCertificate"])
        await second.engine.close()
        let offline = try await fixture.launch(profile, isOffline: true)
        #expect(try await offline.kinds() == ["revokedCertificate"])
        await offline.engine.close()

        // What it signs from then on is verified, and it signs everything anew.
        fixture.liar.keepTelling(nil, about: DeviceRoute.history)
        let third = try await fixture.launch(profile)
        try await third.use { try await AppStore.sync() }
        #expect(try await third.kinds() == ["verified"])
        #expect(try await third.purchase(SampleShop.chapter) != nil)
        await third.engine.close()
        let last = try await fixture.launch(profile, isOffline: true)
        #expect(try await last.kinds() == ["verified"])
        #expect(
            try await last.entitlements()
                == [SampleShop.badge, SampleShop.chapter, SampleShop.monthly].sorted())
        #expect(try last.engine.open().journal.revokedCertificates == [stolen.text])
        await last.engine.close()
    }

    @Test(arguments: [KeyRole.signing, .intermediate])
    func `a device whose profile is refused hears of it by the refusal`(role: KeyRole) async throws
    {
        let fixture = try await Fixture()
        let profile = try await fixture.profile()
        try await fixture.buy(profile)
        let stolen = try fixture.revoke(role)
        let second = try await fixture.launch(profile)
        #expect((await second.fetch() as? WireError)?.code == .profileUntrusted)
        #expect(try second.engine.open().journal.revokedCertificates == [stolen])
        #expect(try await second.kinds() == ["revokedCertificate"])
        await second.engine.close()
        let offline = try await fixture.launch(profile, isOffline: true)
        #expect(try await offline.kinds() == ["revokedCertificate"])
        await offline.engine.close()
        // The publisher ships a new profile.
        let third = try await fixture.launch(try await fixture.profile())
        try await third.use { try await AppStore.sync() }
        #expect(try await third.kinds() == ["verified"])
        await third.engine.close()
    }

    @Test func `a key for receipts that was revoked says nothing of transactions`() async throws {
        let fixture = try await Fixture()
        let profile = try await fixture.profile()
        try await fixture.buy(profile)
        _ = try fixture.revoke(.receipts)
        let device = try await fixture.launch(profile)
        try await device.use { try await AppStore.sync() }
        #expect(try device.engine.open().journal.revokedCertificates.isEmpty)
        #expect(try await device.kinds() == ["verified"])
        await device.engine.close()
    }

    @Test
    func `a store that takes back what it signs with has nothing verified until it says otherwise`()
        async throws
    {
        let fixture = try await Fixture()
        let profile = try await fixture.profile()
        try await fixture.buy(profile)
        let own = try [KeyRole.signing, .intermediate].map { try fixture.status($0).serial.text }
        fixture.liar.keepTelling(
            .changed { body in
                guard var answer = try? WireCoding.decode(DeviceHistoryAnswer.self, from: body)
                else { return body }
                answer.revokedCertificates = RevokedCertificates(own)
                return (try? WireCoding.encode(answer)) ?? body
            }, about: DeviceRoute.history)
        let device = try await fixture.launch(profile)
        try await device.use { try await AppStore.sync() }
        #expect(try await device.kinds() == ["revokedCertificate"])
        // A fetch asks for all of it once; the listener has the device fetch, too.
        #expect(fixture.liar.requests(about: DeviceRoute.history).count <= 12)
        let chapter = try await device.use {
            try await Product.products(for: [SampleShop.chapter]).first?.purchase()
        }
        guard case .success(.unverified(_, .revokedCertificate)) = chapter else {
            Issue.record("\(String(describing: chapter))")
            return
        }
        fixture.liar.keepTelling(nil, about: DeviceRoute.history)
        try await device.use { try await AppStore.sync() }
        #expect(try await device.kinds() == ["verified"])
        await device.engine.close()
    }

    @Test(arguments: [
        #"["0\#(String(repeating: "A", count: 40))"]"#, #"["ABC"]"#, #"["ab"]"#, #"[""]"#, "[7]",
        "[\(Array(repeating: "\"AB\"", count: 65).joined(separator: ","))]",
        #"["\u0660\u0661"]"#,
    ])
    func `a list of certificates that is none changes nothing`(_ list: String) async throws {
        let fixture = try await Fixture()
        let profile = try await fixture.profile()
        try await fixture.buy(profile)
        fixture.liar.keepTelling(
            .changed { body in
                let text = String(decoding: body, as: UTF8.self)
                return Data(
                    text.replacingOccurrences(
                        of: #""revokedCertificates":[]"#, with: #""revokedCertificates":\#(list)"#
                    ).utf8)
            }, about: DeviceRoute.history)
        let device = try await fixture.launch(profile)
        await #expect(throws: StoreKitError.self) {
            try await device.use { try await AppStore.sync() }
        }
        #expect(try await device.kinds() == ["verified"])
        await device.engine.close()
    }
}

extension TestDevice {
    /// Fetches what has changed, and gives the error that it ended with.
    fileprivate func fetch() async -> (any Error)? {
        guard let opened = await engine.useFeed() else { return URLError(.unknown) }
        _ = opened.device.noticeSession()
        engine.feed.markChanged()
        await engine.refreshHistory(opened).value
        return engine.feed.state.withLock { $0.fetchError }
    }

    /// How what the device has is verified: entitlements, the app transaction, and how the
    /// subscription stands.
    fileprivate func kinds() async throws -> Set<String> {
        try await use {
            var kinds: Set<String> = []
            for await result in Transaction.currentEntitlements { kinds.insert(Self.kind(result)) }
            let subscribed = await Transaction.latest(for: SampleShop.monthly)
            let group = subscribed?.unsafePayloadValue.subscriptionGroupID ?? ""
            let statuses = try await StoreKit.Product.SubscriptionInfo.status(for: group)
            for status in statuses {
                kinds.formUnion([Self.kind(status.transaction), Self.kind(status.renewalInfo)])
            }
            kinds.insert(Self.kind(try await AppTransaction.shared))
            return statuses.count == 1 ? kinds : ["\(statuses.count) statuses"]
        }
    }

    private static func kind<Value>(_ result: VerificationResult<Value>) -> String {
        switch result {
        case .verified: "verified"
        case .unverified(_, let error): "\(error)"
        }
    }
}
