import Foundation
@testable import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

/// Media of items: what is taken, what is refused, and what becomes of the bytes.
@Suite struct ItemMediaTests {
    private let opened: OpenedStore
    private let team: Int64
    private let item: ItemID

    private var media: ItemMediaService { opened.store.services.itemMedia }
    private var actor: ConnectActor { actor() }

    init() async throws {
        opened = try await OpenedStore()
        let now = opened.clock.now()
        (team, item) = try await opened.store.database.write { repositories in
            let team = try repositories.catalog.save(
                TeamDraft(name: "Example", hasPaidAgreement: true)
            ).id
            let item = try repositories.items.insert(
                ItemDetails(kind: .ebook, title: "Lamps", genres: [Genre.root(of: .ebook).id]),
                id: nil, of: team, state: .onSale, at: now)
            return (team, item.id)
        }
    }

    private func actor(_ role: ConnectRole = .marketing, team: Int64? = nil) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 1), email: "pat@example.com"),
            team: team ?? self.team, roles: [role])
    }

    private func add(
        _ bytes: Data, _ kind: ItemMedia.Kind, _ name: String, position: Int? = nil,
        by other: ConnectActor? = nil
    ) async throws -> ItemMedia {
        let file = try opened.folder.write("given", bytes)
        return try await media.add(
            file, kind: kind, position: position, fileName: name, to: item, by: other ?? actor)
    }

    private func expect(
        _ rule: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> some Any
    ) async {
        await #expect(sourceLocation: sourceLocation) { _ = try await body() } throws: {
            ($0 as? ConnectRefusal)?.rule == rule
        }
    }

    private static let ogg = Data("OggS".utf8) + Data(count: 100)
    private static let pdf = Data("%PDF-1.4\n".utf8)

    @Test func `what is taken is there, and says what it is`() async throws {
        let bytes = SamplePicture.square(512)
        let artwork = try await add(bytes, .artwork, "cover.png")
        #expect(artwork.mediaType == "image/png" && artwork.position == 1)
        #expect(artwork.width == 512 && artwork.height == 512)
        #expect(artwork.digest.text == SHA256Digest.hex(bytes))
        #expect(artwork.size == Int64(bytes.count))
        let content = try #require(try await media.open(artwork))
        let file = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
        #expect(try file.readToEnd() == bytes)
        let sound = try await add(Self.ogg, .audioPreview, "Kapitel eins.ogg")
        #expect(sound.mediaType == "audio/ogg" && sound.width == nil)
        #expect(try await media.media(of: item, by: actor) == [artwork, sound])
        let audit = try await opened.store.database.read { [team] in
            try $0.audit.entries(team: team, before: nil, limit: 10).map(\.entry.action)
        }
        #expect(audit == ["itemMedia.create", "itemMedia.create"])
    }

    @Test func `the same again changes nothing, other bytes get another identifier`() async throws {
        let first = try await add(SamplePicture.square(512), .artwork, "cover.png")
        let generation = try await opened.store.database.storefrontGeneration()
        #expect(try await add(SamplePicture.square(512), .artwork, "cover.png") == first)
        #expect(try await opened.store.database.storefrontGeneration() == generation)
        let second = try await add(SamplePicture.square(513), .artwork, "cover.png")
        #expect(second.id != first.id && second.position == 1)
        #expect(try await media.media(of: item, by: actor) == [second])
        #expect(try await media.shown(first.id) == nil)
        #expect(try await opened.store.database.storefrontGeneration() > generation)
    }

    @Test func `places follow one another, and close up`() async throws {
        for (index, side) in [320, 330, 340].enumerated() {
            let shot = try await add(SamplePicture.square(side), .screenshot, "\(side).png")
            #expect(shot.position == index + 1)
        }
        let between = try await add(
            SamplePicture.square(350), .screenshot, "350.png", position: 2)
        #expect(between.position == 2)
        await expect("position") {
            try await add(SamplePicture.square(360), .screenshot, "360.png", position: 5)
        }
        await expect("position") {
            try await add(SamplePicture.square(360), .screenshot, "360.png", position: 0)
        }
        try await media.remove(between.id, by: actor)
        let left = try await media.media(of: item, by: actor)
        #expect(left.map(\.fileName) == ["320.png", "340.png"])
        #expect(left.map(\.position) == [1, 2])
        for number in 3...10 {
            _ = try await add(SamplePicture.square(320), .screenshot, "\(number).png")
        }
        await expect("tooManyMedia") {
            try await add(SamplePicture.square(320), .screenshot, "11.png")
        }
    }

    @Test func `pictures of a wrong size or form are refused`() async throws {
        let picture = { (width: Int, height: Int) in
            SamplePicture.png(width, height) { _, _ in 0xFFFF_FFFF }
        }
        for bytes in [picture(511, 511), picture(512, 513)] {
            await expect("pictureSize") { try await add(bytes, .artwork, "a.png") }
        }
        for bytes in [picture(159, 300), picture(200, 801)] {
            await expect("pictureSize") { try await add(bytes, .screenshot, "a.png") }
        }
        await expect("picture") {
            try await add(SamplePicture.square(512).dropLast(30), .artwork, "a.png")
        }
        let promise = SamplePicture.signature + SamplePicture.header(60_000, 60_000)
        await expect("picture") { try await add(promise + Data(count: 99), .artwork, "a.png") }
        #expect(try await media.media(of: item, by: actor).isEmpty)
    }

    @Test(arguments: [
        (ItemMedia.Kind.artwork, ItemMediaTests.pdf, "a.png", "mediaFormat"),
        (.artwork, Data("<svg onload=alert(1)>".utf8), "a.png", "mediaFormat"),
        (.audioPreview, ItemMediaTests.pdf, "a.ogg", "mediaFormat"),
        (.videoPreview, ItemMediaTests.ogg, "a.ogg", "mediaFormat"),
        (.download, Data("#!/bin/sh".utf8), "a.sh", "mediaFormat"),
        (.download, ItemMediaTests.pdf, "a.exe", "fileNameExtension"),
        (.download, ItemMediaTests.pdf, "pdf", "fileNameExtension"),
        (.download, Data(), "a.pdf", "fileSize"),
        (.download, ItemMediaTests.pdf, "", "fileName"),
        (.download, ItemMediaTests.pdf, "../a.pdf", "fileName"),
        (.download, ItemMediaTests.pdf, ".pdf", "fileName"),
        (.download, ItemMediaTests.pdf, "a\\b.pdf", "fileName"),
        (.download, ItemMediaTests.pdf, "a\r\nX: y.pdf", "fileName"),
        (.download, ItemMediaTests.pdf, "fdp\u{202E}exe.pdf", "fileName"),
        (.download, ItemMediaTests.pdf, String(repeating: "a", count: 252) + ".pdf", "fileName"),
    ])
    func `files that are not what they should be are refused`(
        kind: ItemMedia.Kind, bytes: Data, name: String, rule: String
    ) async throws {
        await expect(rule) { try await add(bytes, kind, name) }
        #expect(try await media.media(of: item, by: actor).isEmpty)
    }

    @Test func `files that can't be read, or are too large, are refused`() async throws {
        let folder = opened.folder.file("folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipe = opened.folder.file("pipe")
        mkfifo(pipe.path, 0o600)
        for file in [opened.folder.file("nothing"), folder, pipe] {
            await expect("fileUnreadable") {
                try await media.add(file, kind: .download, fileName: "a.pdf", to: item, by: actor)
            }
        }
        // All but its beginning is a hole.
        let large = try opened.folder.write("large", SamplePicture.square(512))
        truncate(large.path, off_t(ItemMediaRules.sizeLimit(of: .artwork)) + 1)
        await expect("fileSize") {
            try await media.add(large, kind: .artwork, fileName: "a.png", to: item, by: actor)
        }
        let arriving = opened.store.directory.appendingPathComponent("assets/arriving")
        #expect(try FileManager.default.contentsOfDirectory(atPath: arriving.path).isEmpty)
    }

    @Test func `only those who may maintain items do`() async throws {
        let artwork = try await add(SamplePicture.square(512), .artwork, "a.png")
        for role in [ConnectRole.finance, .sales, .developer, .reviewer] {
            await expect("role") {
                try await add(SamplePicture.square(520), .artwork, "a.png", by: actor(role))
            }
            await expect("role") { try await media.remove(artwork.id, by: actor(role)) }
        }
        let stranger = actor(team: team + 1)
        await expect("notFound") {
            try await add(SamplePicture.square(520), .artwork, "a.png", by: stranger)
        }
        await expect("notFound") { try await media.remove(artwork.id, by: stranger) }
        await expect("notFound") { try await media.media(of: item, by: stranger) }
        #expect(try await media.media(of: item, by: actor) == [artwork])
    }

    @Test func `bytes are collected when no item has them`() async throws {
        let other = Data("OggS2".utf8)
        let kept = try await add(Self.ogg, .audioPreview, "a.ogg")
        let shared = try await add(other, .audioPreview, "b.ogg")
        let twin = try await add(other, .audioPreview, "c.ogg")
        let assets = opened.store.services.assets
        // Whatever the clock says, they are old enough.
        let grace: TimeInterval = -400_000_000
        #expect(try await assets.collect(grace: grace) == 0)
        try await media.remove(shared.id, by: actor)
        #expect(try await assets.collect(grace: grace) == 0)
        try await media.remove(twin.id, by: actor)
        #expect(
            try await assets.collect(grace: 400_000_000) == 0, "it may be on its way to an item")
        #expect(try await assets.collect(grace: grace) == 1)
        #expect(try await media.open(shared) == nil)
        let content = try #require(try await media.open(kept))
        close(content.descriptor)
    }

    @Test func `what buyers download outlives the sale, and nobody else sees it`() async throws {
        let download = try await add(Self.pdf, .download, "a.pdf")
        let artwork = try await add(SamplePicture.square(512), .artwork, "a.png")
        #expect(try await media.shown(download.id) == nil)
        #expect(try await media.shown(artwork.id) == artwork)
        let (item, now) = (item, opened.clock.now())
        for state in [ItemState.removed, .draft] {
            try await opened.store.database.write { repositories in
                var changed = try #require(try repositories.items.item(item))
                changed.state = state
                try repositories.items.update(changed, at: now)
            }
            #expect(try await media.shown(artwork.id) == nil)
            #expect(try await media.download(of: item) == download)
        }
    }
}
