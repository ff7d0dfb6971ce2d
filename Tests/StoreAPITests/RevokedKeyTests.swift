@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// What was signed with a key that was revoked: the store itself takes none of it.
@Suite struct RevokedKeyTests {
    private static func revoke(_ role: KeyRole, of shop: TestStore, at date: Date) throws {
        let current = try shop.store.keys.certificates().first { $0.isCurrent && $0.role == role }
        _ = try shop.store.keys.revoke(try #require(current).serial, at: date)
    }

    @Test(arguments: [KeyRole.receipts, .intermediate])
    func `receipts are no longer authentic, also those that were verified before`(
        role: KeyRole
    ) async throws {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        let bought = try await client.buy(APIClient.credits(1))
        let old = [
            try await fixture.receipt(client), try await fixture.receipt(of: bought, client),
        ]
        #expect(try await fixture.verify(old[0])["status"] == 0)
        try Self.revoke(role, of: fixture.shop, at: fixture.clock.now())
        for receipt in old { #expect(try await fixture.refusal(receipt) == 21003) }
        // The device gets new ones; so do they who have an app that is still trusted.
        guard role == .receipts else { return }
        for receipt in [
            try await fixture.receipt(client), try await fixture.receipt(of: bought, client),
        ] {
            #expect(try await fixture.verify(receipt)["status"] == 0)
        }
    }

    @Test func `profiles open nothing any more, also those that are known`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        var client = try await APIClient.signedIn(shop)
        let question = ProductsRequest(productIds: [SampleShop.credits])
        _ = try await client.post(DeviceRoute.products, question, as: ProductsAnswer.self)
        let whole = try #require(client.profile)
        let digest = DeviceRoute.profileDigestPrefix + SHA256Digest.hex(Data(whole.utf8))
        client.profile = digest
        _ = try await client.post(DeviceRoute.products, question, as: ProductsAnswer.self)
        try Self.revoke(.signing, of: shop, at: clock.now())
        for profile in [digest, whole] {
            client.profile = profile
            for path in [DeviceRoute.products, DeviceRoute.receipt] {
                #expect(
                    try await client.refusal(path, question).name == "403 profileUntrusted")
            }
        }
        client.profile = try await shop.profile(environment: .sandbox)
        _ = try await client.post(DeviceRoute.products, question, as: ProductsAnswer.self)
    }

    @Test func `devices hear of the certificate, with their history and with the refusal`()
        async throws
    {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        var client = try await APIClient.signedIn(shop)
        let beginning = DeviceHistoryRequest(revision: nil)
        func history() async throws -> DeviceHistoryAnswer {
            try await client.post(DeviceRoute.history, beginning)
        }
        #expect(try await history().revokedCertificates == RevokedCertificates([]))
        let stranger = try await TestStore(hasContent: false, hasOwnKeys: true)
        let whole = client.profile
        client.profile = try await stranger.profile()
        #expect(
            try await client.refusal(DeviceRoute.products, ProductsRequest(productIds: [])).error
                .revokedCertificates == nil)
        let stolen = try #require(
            try shop.store.keys.certificates().first { $0.isCurrent && $0.role == .signing })
        try Self.revoke(.receipts, of: shop, at: clock.now())
        try Self.revoke(.signing, of: shop, at: clock.now())
        let expected = RevokedCertificates([stolen.serial.text])
        client.profile = whole
        let refusal = try await client.refusal(DeviceRoute.history, beginning)
        #expect(refusal.name == "403 profileUntrusted")
        #expect(refusal.error.revokedCertificates == expected)
        client.profile = try await shop.profile(environment: .sandbox)
        #expect(try await history().revokedCertificates == expected)
    }

    @Test func `what was signed a moment ago is signed anew once the key is another one`()
        async throws
    {
        let fixture = try await ReceiptFixture()
        let client = try await fixture.server.customer()
        let secret = try await fixture.secret()
        let bought = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(client)
        var server = fixture.server.server
        server.token = .some(try server.makeToken())
        func answers() async throws -> [String] {
            let answer: TransactionInfoResponse = try await server.get(
                "/v1/transactions/\(bought.transactionId)")
            return [
                answer.signedTransactionInfo,
                try #require(
                    try await fixture.verify(receipt, password: secret)["latest_receipt"]?.text),
            ]
        }
        _ = try await answers()
        let first = try await answers()
        #expect(try await answers() == first)
        try fixture.shop.store.keys.rotate(at: fixture.clock.now())
        let second = try await answers()
        #expect(second[0] != first[0] && second[1] != first[1])
        #expect(try await answers() == second)
    }
}
