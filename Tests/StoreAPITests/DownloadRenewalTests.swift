import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Downloads that go on when the app, and its session, are gone.
@Suite struct DownloadRenewalTests {
    private static func renew(
        _ buyer: Buyer, _ token: String, as client: APIClient? = nil
    ) async throws -> Result<DownloadAnswer, WireError> {
        var device = client ?? buyer.client
        // Whoever goes on has no session.
        device.token = nil
        do {
            return .success(
                try await device.post(DeviceRoute.renewal, DownloadRenewalRequest(token: token)))
        } catch let error as WireError {
            return .failure(error)
        }
    }

    private static func code(_ result: Result<DownloadAnswer, WireError>) -> String {
        switch result {
        case .success: "renewed"
        case .failure(let error): error.code.rawValue
        }
    }

    @Test func `a token gets new grants for its content, on its device, for two weeks`()
        async throws
    {
        let buyer = try await Buyer(altitude: .router)
        buyer.clock.advance(by: 3600)
        #expect(try await buyer.fetch(grant: buyer.grant).status == 403)
        let renewed = try await Self.renew(buyer, buyer.token).get()
        #expect(renewed.token == buyer.token)
        #expect(try await buyer.fetch(grant: renewed.grant).data == buyer.blob)

        var elsewhere = buyer.client
        elsewhere.device = "device-2"
        #expect(Self.code(try await Self.renew(buyer, buyer.token, as: elsewhere)) == "grantForged")
        // Neither passes for the other.
        #expect(try await buyer.fetch(grant: buyer.token).status == 403)
        for wrong in [renewed.grant, "", "x.y", String(repeating: "a", count: 5000)] {
            #expect(Self.code(try await Self.renew(buyer, wrong)) == "grantForged", "\(wrong)")
        }
        var production = buyer.client
        production.environment = .production
        production.profile = try await buyer.client.shop.profile(environment: .production)
        #expect(
            Self.code(try await Self.renew(buyer, buyer.token, as: production))
                == "transactionNotFound")

        buyer.clock.advance(by: 14 * 86_400 - 3601)
        #expect(Self.code(try await Self.renew(buyer, buyer.token)) == "renewed")
        buyer.clock.advance(by: 1)
        #expect(Self.code(try await Self.renew(buyer, buyer.token)) == "grantExpired")
    }

    @Test func `a refund ends a download that goes on`() async throws {
        let buyer = try await Buyer(altitude: .router)
        _ = try await buyer.client.shop.store.services.purchases.revoke(
            buyer.bought.transactionId, reason: .other)
        #expect(Self.code(try await Self.renew(buyer, buyer.token)) == "transactionNotFound")
    }
}
