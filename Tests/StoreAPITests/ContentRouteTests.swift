import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

@Suite struct ContentRouteTests {
    @Test(arguments: Altitude.allCases)
    func `the bytes of a delivery are those that it names`(altitude: Altitude) async throws {
        let buyer = try await Buyer(altitude: altitude)
        let delivery = buyer.delivery
        #expect(delivery.transactionId == buyer.bought.transactionId)
        #expect(delivery.contentIdentifier == SampleShop.chapter)
        #expect(delivery.version.text == "1.0")
        for (digest, length) in [
            (delivery.manifestDigest, delivery.manifestLength),
            (buyer.blobDigest, delivery.downloadLength - delivery.manifestLength),
        ] {
            let response = try await buyer.fetch(digest.text, grant: buyer.grant)
            #expect(response.status == 200)
            #expect(Int64(response.data.count) == length)
            #expect(SHA256Digest.hex(response.data) == digest.text)
            #expect(response.headers["ETag"] == "\"\(digest)\"")
            #expect(response.headers["Accept-Ranges"] == "bytes")
        }
    }

    @Test(arguments: Altitude.allCases)
    func `a range gives exactly its bytes`(altitude: Altitude) async throws {
        let buyer = try await Buyer(altitude: altitude)
        let count = buyer.blob.count
        try #require(count > 1000)
        for (header, part) in [
            ("bytes=0-0", 0..<1), ("bytes=100-199", 100..<200), ("bytes=-7", count - 7..<count),
            ("bytes=1000-", 1000..<count), ("bytes=1000-\(count * 2)", 1000..<count),
        ] as [(String, Range<Int>)] {
            let response = try await buyer.fetch(grant: buyer.grant, range: header)
            #expect(response.status == 206, "\(header)")
            #expect(response.data == buyer.blob[part], "\(header)")
            #expect(
                response.headers["Content-Range"]
                    == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)")
        }
        for header in ["bytes=5-4", "bytes=0-1,5-6", "bytes=x"] {
            let response = try await buyer.fetch(grant: buyer.grant, range: header)
            #expect(response.status == 200, "\(header)")
            #expect(response.data == buyer.blob)
            #expect(response.headers["Content-Range"] == nil)
        }
        for header in ["bytes=\(count)-", "bytes=-0"] {
            let response = try await buyer.fetch(grant: buyer.grant, range: header)
            #expect(response.status == 416, "\(header)")
            #expect(try response.failure().code == .rangeNotSatisfiable)
            #expect(response.headers["Content-Range"] == "bytes */\(count)")
        }
    }

    @Test func `HEAD tells the length and sends no bytes`() async throws {
        let buyer = try await Buyer(altitude: .socket)
        let response = try await buyer.fetch(method: "HEAD", grant: buyer.grant)
        #expect(response.status == 200)
        #expect(response.headers["Content-Length"] == "\(buyer.blob.count)")
        #expect(response.data.isEmpty)
    }

    @Test(arguments: Altitude.allCases)
    func `bytes without their grant are refused`(altitude: Altitude) async throws {
        let buyer = try await Buyer(altitude: altitude)
        let parts = buyer.grant.split(separator: ".").map(String.init)
        try #require(parts.count == 2)
        let statement = try #require(Base64URL.decode(parts[0]))
        var longer = try WireCoding.decode(GrantPayload.self, from: statement)
        longer.expirationDate += 1
        let forger = SealedTokens(secret: Data(repeating: 7, count: 32))
        let prolonged: String = Base64URL.encode(try WireCoding.encode(longer)) + "." + parts[1]
        // What the store sealed, but not as a grant.
        let other: String = buyer.client.shop.store.services.seals.seal(Data("{}".utf8))
        for (grant, name) in [
            (nil, "401 grantMissing"), ("", "403 grantForged"), ("garbage", "403 grantForged"),
            (parts[0], "403 grantForged"), (parts[0] + ".", "403 grantForged"),
            (buyer.grant + ".", "403 grantForged"), (forger.seal(statement), "403 grantForged"),
            (prolonged, "403 grantForged"), (other, "403 grantForged"),
        ] as [(String?, String)] {
            let response = try await buyer.fetch(grant: grant)
            let refusal = Refusal(status: response.status, error: try response.failure())
            // A header without a value may be lost on its way.
            let isLost = grant == "" && refusal.name == "401 grantMissing"
            #expect(refusal.name == name || isLost, "\(grant ?? "none")")
        }
    }

    @Test func `a grant is good for an hour`() async throws {
        let buyer = try await Buyer(altitude: .router)
        buyer.clock.advance(by: 3599)
        #expect(try await buyer.fetch(grant: buyer.grant).status == 200)
        buyer.clock.advance(by: 1)
        let response = try await buyer.fetch(grant: buyer.grant)
        #expect(response.status == 403)
        #expect(try response.failure().code == .grantExpired)
    }

    @Test func `a grant is for its own content only`() async throws {
        let buyer = try await Buyer(altitude: .router)
        for digest in [String(repeating: "a", count: 64), SHA256Digest.hex(Data("other".utf8))] {
            let response = try await buyer.fetch(digest, grant: buyer.grant)
            #expect(response.status == 403)
            #expect(try response.failure().code == .grantForOtherContent)
        }
    }

    @Test(arguments: ["abc", String(repeating: "A", count: 64), "..", "%2e%2e"])
    func `what is no digest is not found`(digest: String) async throws {
        let buyer = try await Buyer(altitude: .socket)
        let response = try await buyer.fetch(digest, grant: buyer.grant)
        #expect(response.status == 404)
        #expect(try response.failure().code == .contentNotFound)
    }

    @Test func `only content of the bought product can be downloaded`() async throws {
        let buyer = try await Buyer(altitude: .router)
        let badge = try await buyer.client.buy(APIClient.badge(2))
        for (transaction, wanted) in [
            (buyer.bought, Buyer.request(version: "1.1")),
            (buyer.bought, Buyer.request(SampleShop.badge)), (badge, Buyer.request()),
            (badge, Buyer.request(SampleShop.badge)),
        ] {
            let refusal = try await buyer.client.refusal(
                DeviceRoute.downloads("\(transaction.transactionId)"), wanted)
            #expect(refusal.name == "404 contentNotFound")
        }
    }

    @Test func `production delivers approved versions only`() async throws {
        let buyer = try await Buyer(altitude: .router)
        let shop = buyer.client.shop
        let folder = try TemporaryFolder()
        _ = try await shop.store.importCatalog(
            configuration: SampleShop.configuration,
            content: SampleShop.writeContent(into: folder, version: "2.0", noiseBytes: 10),
            bundleID: SampleShop.bundleID)
        let customer = try await APIClient.signedIn(shop, environment: .production)
        for (client, status) in [(buyer.client, 200), (customer, 404)] {
            let bought = try await client.buy(APIClient.chapter(9))
            let response = try await client.send(
                "POST", DeviceRoute.downloads("\(bought.transactionId)"),
                WireCoding.encode(Buyer.request(version: "2.0")))
            #expect(response.status == status)
        }
    }
}
