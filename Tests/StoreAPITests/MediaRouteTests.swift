@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

/// Pictures, sounds and films of items over real connections.
@Suite struct MediaRouteTests {
    private let shop: TestStore
    private let client: LoopbackClient
    private let item: ItemID

    init() async throws {
        shop = try await TestStore(hasContent: false)
        client = LoopbackClient(port: shop.server.port)
        item = try await shop.store.database.write { repositories in
            let team = try repositories.sampleApp().teamID
            return try repositories.items.insert(
                ItemDetails(kind: .ebook, title: "Lamps", genres: [Genre.root(of: .ebook).id]),
                id: nil, of: team, state: .onSale, at: Date(timeIntervalSince1970: 1_800_000_000)
            ).id
        }
    }

    private func add(
        _ bytes: Data, _ kind: ItemMedia.Kind, _ name: String
    ) async throws -> ItemMedia {
        let file = try shop.folder.write("given-\(name)", bytes)
        return try await shop.store.services.itemMedia.add(
            file, kind: kind, fileName: name, to: item, by: .machine)
    }

    private func artwork() async throws -> ItemMedia {
        try await add(
            SamplePicture.png(600, 600) { x, _ in x < 300 ? 0xFF00_00FF : 0x0000_FFFF }, .artwork,
            "cover.png")
    }

    private func get(
        _ path: String, _ headers: HTTPHeaders = [:], method: String = "GET"
    ) async throws -> HTTPResponse {
        try await client.send(HTTPRequest(method: method, path: path, headers: headers))
    }

    private func setState(_ state: ItemState) async throws {
        try await shop.store.database.write { [item] repositories in
            var changed = try #require(try repositories.items.item(item))
            changed.state = state
            try repositories.items.update(changed, at: changed.changed)
        }
    }

    @Test(arguments: ["", "/sandbox"])
    func `a picture comes in the size and format that its address says`(
        prefix: String
    ) async throws {
        let id = try await artwork().id
        for (name, width, format) in [
            ("100x100bb.png", 100, ImageHeader.Format.png), ("60x60bb.jpg", 60, .jpeg),
            ("30x30cc.png", 30, .png), ("200x200.png", 200, .png), ("4096x4096bb.jpg", 600, .jpeg),
        ] as [(String, Int, ImageHeader.Format)] {
            // The second time it comes from disk.
            for _ in 0..<2 {
                let response = try await get("\(prefix)/image/\(id)/\(name)")
                #expect(response.status == 200, "\(name)")
                #expect(
                    ImageHeader(of: response.data)
                        == ImageHeader(format: format, width: width, height: width))
                #expect(response.headers["Content-Type"] == format.mediaType)
                #expect(
                    response.headers["Cache-Control"] == "public, max-age=31536000, immutable")
                #expect(response.headers["X-Content-Type-Options"] == "nosniff")
                #expect(
                    response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'")
                        == true)
                let tag = try #require(response.headers["ETag"])
                let known = try await get(
                    "\(prefix)/image/\(id)/\(name)", ["If-None-Match": "\"x\", W/\(tag)"])
                #expect(known.status == 304 && known.data.isEmpty)
                #expect(known.headers["ETag"] == tag)
            }
        }
        let head = try await get("\(prefix)/image/\(id)/100x100bb.png", method: "HEAD")
        #expect(head.status == 200 && head.data.isEmpty)
    }

    @Test func `addresses that stand for no picture say why`() async throws {
        let id = try await artwork().id
        for name in [
            "0x100bb.png", "4097x1bb.png", "100x100bb.gif", "100x100zz.png", "%2e%2e",
            // Sizes that are not on the list.
            "101x101bb.png", "100x99cc.jpg", "599x600bb.png",
        ] {
            let response = try await get("/image/\(id)/\(name)")
            #expect(response.status == 400, "\(name)")
            #expect(response.text.contains("100x100bb.png"))
            #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
        }
        let stranger = AssetID(UUID())
        let upper = id.text.uppercased()
        for name in [stranger.text, "1", upper, "..%2f..%2fetc"] {
            let response = try await get("/image/\(name)/100x100bb.png")
            #expect(response.status == 404, "\(name)")
        }
        let posted = try await get("/image/\(id)/100x100bb.png", method: "POST")
        #expect(posted.status == 405)
    }

    @Test func `what customers may not see is not there`() async throws {
        let picture = try await artwork()
        let sound = try await add(Data("OggS".utf8) + Data(count: 60), .audioPreview, "a.ogg")
        let download = try await add(Data("%PDF-1.4\n".utf8), .download, "a.pdf")
        let (image, media) = ("/image/\(picture.id)/50x50bb.png", "/media/\(sound.id)/a.ogg")
        #expect(try await get(image).status == 200)
        #expect(try await get(media).status == 200)
        #expect(try await get("/media/\(picture.id)/cover.png").status == 200)
        #expect(try await get("/media/\(download.id)/a.pdf").status == 404)
        #expect(try await get("/image/\(download.id)/50x50bb.png").status == 404)
        #expect(try await get("/image/\(sound.id)/50x50bb.png").status == 404)
        #expect(try await get("/media/\(sound.id)/b.ogg").status == 404)
        for state in [ItemState.draft, .removed] {
            try await setState(state)
            #expect(try await get(image).status == 404)
            #expect(try await get(media).status == 404)
        }
        try await setState(.onSale)
        #expect(try await get(image).status == 200)
        try await shop.store.services.itemMedia.remove(picture.id, by: .machine)
        #expect(try await get(image).status == 404)
    }

    @Test func `a preview comes whole or in ranges`() async throws {
        let bytes = Data("OggS".utf8) + SampleShop.noise(5000, seed: 3)
        let sound = try await add(bytes, .audioPreview, "Läuten & mehr.ogg")
        let path = "/media/\(sound.id)/L%C3%A4uten%20%26%20mehr.ogg"
        let whole = try await get(path)
        #expect(whole.status == 200 && whole.data == bytes)
        #expect(whole.headers["Content-Type"] == "audio/ogg")
        #expect(whole.headers["Accept-Ranges"] == "bytes")
        #expect(whole.headers["X-Content-Type-Options"] == "nosniff")
        #expect(whole.headers["Content-Disposition"] == nil)
        let tag = try #require(whole.headers["ETag"])
        let part = try await get(path, ["Range": "bytes=10-19", "If-Range": tag])
        #expect(part.status == 206 && part.data == bytes[10..<20])
        #expect(part.headers["Content-Range"] == "bytes 10-19/\(bytes.count)")
        let other = try await get(path, ["Range": "bytes=10-19", "If-Range": "\"other\""])
        #expect(other.status == 200 && other.data == bytes)
        let outside = try await get(path, ["Range": "bytes=9999-"])
        #expect(outside.status == 416)
        #expect(outside.headers["Content-Range"] == "bytes */\(bytes.count)")
        let known = try await get(path, ["If-None-Match": tag])
        #expect(known.status == 304 && known.data.isEmpty)
    }

    /// Always at work for others.
    private struct BusyMaker: PictureMaker {
        func check(_ content: OpenContent) async throws -> ImageHeader { throw PicturesBusy() }

        func rendition(
            _ size: PictureSize, of digest: ContentDigest,
            original: @escaping @Sendable () throws -> OpenContent?
        ) async throws -> MadePicture? { throw PicturesBusy() }
    }

    @Test func `when too many pictures are to be made, clients are asked to come again`()
        async throws
    {
        let id = try await artwork().id
        let media = ItemMediaService(
            database: shop.store.database, files: shop.store.pictures, pictures: BusyMaker(),
            share: MediaShare { .max }, clock: shop.store.clock, makeID: { AssetID(UUID()) })
        let router = Router(
            routes: MediaRoutes(itemMedia: media, report: { Issue.record("\($0)") }).routes(),
            unknownPath: { _ in HTTPResponse(status: 404) },
            wrongMethod: { _, _ in HTTPResponse(status: 405) })
        let response = try await router.response(
            to: HTTPRequest(method: "GET", path: "/image/\(id)/50x50bb.png"))
        #expect(response.status == 503)
        #expect(response.headers["Retry-After"] == "2")
        #expect(response.headers["Cache-Control"] == "no-store")
        let file = try shop.folder.write("other.png", SamplePicture.square(520))
        await #expect {
            _ = try await media.add(
                file, kind: .artwork, fileName: "other.png", to: item, by: .machine)
        } throws: {
            ($0 as? ConnectRefusal)?.rule == "picturesBusy"
        }
    }
}
