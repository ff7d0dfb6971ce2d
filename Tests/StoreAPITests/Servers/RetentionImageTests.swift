import Foundation
@testable import StoreAPI
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct RetentionImageTests {
    typealias Query = [(name: String, value: String)]

    static let bullet = SamplePicture.opaque(64, 64)
    static let bulletSize: Query = [("imageSize", "BULLET_POINT")]

    static func id(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(format: "%012d", number)
    }

    static func path(_ number: Int) -> String { "/v1/messaging/image/\(id(number))" }

    /// The number of the error, or the status of success, of an upload.
    static func upload(
        _ bytes: Data, _ number: Int, _ server: ServerClient, query: Query = bulletSize
    ) async throws -> Int {
        let response = try await server.send(
            "PUT", path(number), bytes, query: query, headers: ["Content-Type": "image/png"])
        guard response.status == 200 else { return try response.serverError().code.rawValue }
        #expect(response.data.isEmpty)
        return 200
    }

    static func list(_ server: ServerClient) async throws -> [GetImageListResponse.Item] {
        let answer: GetImageListResponse = try await server.get("/v1/messaging/image/list")
        return answer.imageIdentifiers
    }

    @Test(arguments: Altitude.allCases)
    func `images are sent, listed and deleted, those of testers approved at once`(
        altitude: Altitude
    ) async throws {
        let shop = try await ServerShop(altitude: altitude)
        var server = shop.server
        #expect(try await Self.list(server).isEmpty)
        #expect(try await Self.upload(Self.bullet, 1, server) == 200)
        // More than a megabyte, and nothing said about its size.
        let full = SamplePicture.opaque(3840, 160)
        #expect(try await Self.upload(full, 2, server, query: []) == 200)
        #expect(
            try await Self.list(server) == [
                GetImageListResponse.Item(
                    imageIdentifier: Self.id(1), imageState: "APPROVED",
                    imageSize: "BULLET_POINT"),
                GetImageListResponse.Item(
                    imageIdentifier: Self.id(2), imageState: "APPROVED", imageSize: "FULL_SIZE"),
            ])
        let deleted = try await server.send("DELETE", Self.path(1))
        #expect(deleted.status == 200 && deleted.data.isEmpty)
        #expect(try await Self.list(server).map(\.imageIdentifier) == [Self.id(2)])
        #expect(try await server.refusal("DELETE", Self.path(1)) == 4_040_014)
        server.environment = .production
        #expect(try await Self.list(server).isEmpty)
        #expect(try await server.refusal("DELETE", Self.path(2)) == 4_040_014)
        #expect(try await Self.upload(Self.bullet, 2, server) == 200)
        #expect(try await Self.list(server).map(\.imageState) == ["PENDING"])
    }

    @Test func `each wrong image has an error, and leaves nothing`() async throws {
        let shop = try await ServerShop { $0.retention.limits = RetentionLimits(images: 2) }
        let server = shop.server
        func code(_ bytes: Data, _ query: Query = Self.bulletSize) async throws -> Int {
            try await Self.upload(bytes, 1, server, query: query)
        }
        let transparent =
            SamplePicture.signature
            + SamplePicture.header(64, 64, colours: 2)
            + SamplePicture.chunk("tRNS", Data([0, 1, 0, 1, 0, 1])) + Self.bullet.dropFirst(33)
        for bytes in [
            Data(), Data("no picture".utf8), Self.bullet.dropLast(30), SamplePicture.square(64),
            transparent, SamplePicture.opaque(64, 65), SamplePicture.opaque(63, 63),
            SamplePicture.signature + SamplePicture.header(4_000_000, 4_000_000, colours: 2),
            Data(repeating: 1, count: RetentionRules.imageSize + 1),
        ] {
            #expect(try await code(bytes) == 4_000_161)
        }
        #expect(try await code(Self.bullet, []) == 4_000_161)
        #expect(try await code(Self.bullet, [("imageSize", "LARGE")]) == 4_000_216)
        #expect(try await code(Self.bullet, [("imageSize", "")]) == 4_000_216)
        #expect(
            try await server.refusal("PUT", "/v1/messaging/image/nonsense") == 4_000_000)
        #expect(
            try await server.refusal("DELETE", "/v1/messaging/image/nonsense") == 4_040_014)
        #expect(try await Self.list(server).isEmpty)
        #expect(try await code(Self.bullet) == 200)
        #expect(try await code(Self.bullet) == 4_090_000)
        #expect(try await Self.upload(Self.bullet, 2, server) == 200)
        #expect(try await Self.upload(Self.bullet, 3, server) == 4_030_014)
        #expect(try await Self.list(server).count == 2)
    }

    @Test func `an image in a message stays, and its bytes with it`() async throws {
        let shop = try await ServerShop()
        let server = shop.server
        #expect(try await Self.upload(Self.bullet, 1, server) == 200)
        let message: JSONValue = [
            "header": "Stay", "body": "Please.",
            "bulletPoints": [
                [
                    "text": "Point", "imageIdentifier": .string(Self.id(1)),
                    "altText": "A point",
                ]
            ],
        ]
        let path = "/v1/messaging/message/\(Self.id(9))"
        #expect(try await server.refusal("PUT", path, message) == 200)
        #expect(try await server.refusal("DELETE", Self.path(1)) == 4_030_019)
        shop.clock.advance(by: 100 * 86_400)
        let assets = shop.shop.store.services.assets
        #expect(try await assets.collect(grace: -1e9) == 0)
        #expect(try await server.refusal("DELETE", path) == 200)
        #expect(try await server.refusal("DELETE", Self.path(1)) == 200)
        #expect(try await assets.collect(grace: -1e9) == 1)
    }

    @Test func `who may not send images is told before they are taken`() async throws {
        let shop = try await ServerShop(altitude: .socket, role: .finance)
        let refused = try await shop.server.send(
            "PUT", Self.path(1), SamplePicture.opaque(3840, 160))
        #expect(refused.status == 401)
        let large = try await shop.server.send(
            "POST", "/v1/notifications/test", Data(repeating: 1, count: 100 << 10))
        #expect(large.status == 401)
    }

    @Test func `an image of more bytes than are taken is invalid`() async throws {
        let shop = try await ServerShop(altitude: .socket)
        let bytes = Data(repeating: 1, count: RetentionRules.imageSize + 1)
        #expect(try await Self.upload(bytes, 1, shop.server) == 4_000_161)
    }
}
