import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// Screenshots and images of in-app purchases by App Store Connect's API.
@Suite struct PictureRouteTests {
    /// A PNG's beginning, and as many bytes more as it takes.
    private static func png(_ width: Int, _ height: Int, bytes: Int) -> Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        data += Data("IHDR".utf8)
        for number in [width, height] {
            for shift in [24, 16, 8, 0] { data.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return data + SampleShop.noise(bytes, seed: 5)
    }

    private static let screenshots = "/v1/inAppPurchaseAppStoreReviewScreenshots"

    private func reserve(
        _ client: ProductClient, _ path: String, _ type: String, size: Int,
        _ owner: (name: String, type: String, id: String)
    ) async throws -> JSONValue {
        try await client.call(
            "POST", path,
            ProductClient.document(
                type, ["fileName": "shot.png", "fileSize": .integer(size)],
                [owner.name: (owner.type, owner.id)]), status: 201)
    }

    /// Sends the bytes as the answer says.
    private func send(
        _ bytes: Data, as reserved: JSONValue, _ client: ProductClient
    ) async throws {
        let operations = try #require(reserved.attribute("uploadOperations")?.elements)
        for operation in operations {
            let url = try #require(operation["url"]?.text)
            let path = try #require(URLComponents(string: url)?.path)
            let offset = try #require(operation["offset"]?.integer)
            let length = try #require(operation["length"]?.integer)
            try #require(offset >= 0 && length >= 0)
            var sender = client.connect
            sender.token = .some(try Self.token(of: operation))
            let response = try await sender.send(
                operation["method"]?.text ?? "", path,
                Data(bytes.dropFirst(offset).prefix(length)))
            #expect(response.status == 204)
        }
    }

    /// The token in the headers with which a part is to be sent.
    private static func token(of operation: JSONValue) throws -> String {
        let headers = try #require(operation["requestHeaders"]?.elements)
        let value = headers.first { $0["name"] == "Authorization" }?["value"]?.text
        return String(try #require(value?.split(separator: " ").last))
    }

    @Test func `the token of an upload sends the parts of its picture, for an hour, and no more`()
        async throws
    {
        let client = try await ProductClient()
        let bytes = Self.png(640, 920, bytes: 1000)
        func reserve(_ product: String) async throws -> JSONValue {
            let id = try await client.create(product)
            return try await self.reserve(
                client, "/v1/inAppPurchaseImages", "inAppPurchaseImages", size: bytes.count,
                ("inAppPurchase", "inAppPurchases", id))
        }
        let reserved = try await reserve("com.example.coins")
        let operation = try #require(reserved.attribute("uploadOperations")?.elements?.first)
        let path = try #require(
            operation["url"]?.text.flatMap { URLComponents(string: $0)?.path })
        let other = try await reserve("com.example.gems")
        let otherOperation = try #require(other.attribute("uploadOperations")?.elements?.first)
        let token = try Self.token(of: operation)
        #expect(token != (try client.connect.makeToken()))
        var sender = client.connect
        sender.token = .some(token)
        let sent = try await sender.send("PUT", path, bytes)
        #expect(sent.status == 204, "\(sent.text)")
        // Nothing else: not reading, not confirming, no other picture.
        let asset = try #require(reserved["data"]?["id"]?.text)
        let images = "/connect/v1/inAppPurchaseImages/\(asset)"
        #expect(try await sender.send("GET", images).status == 401)
        #expect(try await sender.send("DELETE", images).status == 401)
        #expect(try await sender.send("GET", "/connect/v1/apps").status == 401)
        sender.token = .some(try Self.token(of: otherOperation))
        #expect(try await sender.send("PUT", path, bytes).status == 401)
        sender.token = .some(token + "A")
        #expect(try await sender.send("PUT", path, bytes).status == 401)
        client.connect.clock.advance(by: 3601)
        sender.token = .some(token)
        #expect(try await sender.send("PUT", path, bytes).status == 401)
        // Who only reads gets no token.
        let reader = try await ConnectClient(
            client.connect.shop, clock: client.connect.clock, role: .finance, team: "Publisher")
        let seen = try await reader.send("GET", images)
        #expect(!String(decoding: seen.data, as: UTF8.self).contains("requestHeaders"))
    }

    @Test func `a screenshot is reserved, sent in parts and confirmed`() async throws {
        let client = try await ProductClient()
        let id = try await client.create()
        let bytes = Self.png(1242, 2208, bytes: 700_000)
        let reserved = try await reserve(
            client, Self.screenshots, "inAppPurchaseAppStoreReviewScreenshots",
            size: bytes.count, ("inAppPurchaseV2", "inAppPurchases", id))
        #expect(reserved.attribute("assetDeliveryState")?["state"] == "AWAITING_UPLOAD")
        #expect(reserved.attribute("uploadOperations")?.elements?.count == 2)
        let asset = try #require(reserved["data"]?["id"]?.text)
        let path = "\(Self.screenshots)/\(asset)"
        let commit = ProductClient.document(
            "inAppPurchaseAppStoreReviewScreenshots", id: asset,
            ["uploaded": true, "sourceFileChecksum": .string(MD5Checksum.hex(bytes))])
        try await client.refused("PATCH", path, commit, status: 409, rule: "assetMissing")
        try await send(bytes, as: reserved, client)
        let taken = try await client.call("PATCH", path, commit)
        #expect(taken.attribute("assetDeliveryState")?["state"] == "COMPLETE")
        #expect(taken.attribute("imageAsset")?["width"]?.integer == 1242)
        let file = try #require(taken.attribute("imageAsset")?["templateUrl"]?.text)
        let picture = try await client.connect.send(
            "GET", try #require(URLComponents(string: file)?.path))
        #expect(picture.headers["Content-Type"] == "image/png")
        #expect(picture.data == bytes)
        let related = try await client.call(
            "GET", "/v2/inAppPurchases/\(id)/appStoreReviewScreenshot")
        #expect(related["data"]?["id"]?.text == asset)
        try await client.refused("PATCH", path, commit, status: 409, rule: "assetDecided")
        _ = try await client.call("DELETE", path, status: 204)
        try await client.refused(
            "GET", "/v2/inAppPurchases/\(id)/appStoreReviewScreenshot", status: 404,
            rule: "notFound")
    }

    @Test func `bytes that changed on their way fail`() async throws {
        let client = try await ProductClient()
        let id = try await client.create()
        let bytes = Self.png(640, 920, bytes: 1000)
        let reserved = try await reserve(
            client, Self.screenshots, "inAppPurchaseAppStoreReviewScreenshots",
            size: bytes.count, ("inAppPurchaseV2", "inAppPurchases", id))
        try await send(bytes, as: reserved, client)
        let asset = try #require(reserved["data"]?["id"]?.text)
        let failed = try await client.call(
            "PATCH", "\(Self.screenshots)/\(asset)",
            ProductClient.document(
                "inAppPurchaseAppStoreReviewScreenshots", id: asset,
                ["uploaded": true, "sourceFileChecksum": .string(MD5Checksum.hex(Data()))]))
        #expect(failed.attribute("assetDeliveryState")?["state"] == "FAILED")
        #expect(
            failed.attribute("assetDeliveryState")?["errors"]?.elements?.first?["description"]?
                .text?.contains("checksum") == true)
        for (offset, count) in [("1024", 1), ("-1", 1), ("x", 1), ("01", 1)] {
            let response = try await client.connect.send(
                "PUT", "/connect/openstore/v1/productAssets/\(asset)/parts/\(offset)",
                Data(count: count))
            #expect([404, 409].contains(response.status))
        }
    }

    @Test(arguments: ["v1", "v2"])
    func `an image belongs to its in-app purchase, or to a version of it`(
        version: String
    ) async throws {
        let client = try await ProductClient()
        let id = try await client.create()
        let versions = try await client.call("GET", "/v2/inAppPurchases/\(id)/versions")
        let revision = try #require(versions.ids.first)
        let bytes = Self.png(1024, 1024, bytes: 10)
        let path = "/\(version)/inAppPurchaseImages"
        let reserved = try await reserve(
            client, path, "inAppPurchaseImages", size: bytes.count,
            version == "v1"
                ? ("inAppPurchase", "inAppPurchases", id)
                : ("version", "inAppPurchaseVersions", revision))
        try await send(bytes, as: reserved, client)
        let asset = try #require(reserved["data"]?["id"]?.text)
        let taken = try await client.call(
            "PATCH", "\(path)/\(asset)",
            ProductClient.document("inAppPurchaseImages", id: asset, ["uploaded": true]))
        if version == "v1" {
            #expect(taken.attribute("state") == "PREPARE_FOR_SUBMISSION")
        } else {
            #expect(taken.attribute("assetDeliveryState")?["state"] == "COMPLETE")
        }
        #expect(
            try await client.call("GET", "/v2/inAppPurchases/\(id)/images").ids == [asset])
        #expect(
            try await client.call("GET", "/v1/inAppPurchaseVersions/\(revision)/image")["data"]?[
                "id"]?.text == asset)
    }
}
