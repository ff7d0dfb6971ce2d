import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@Suite(.usesDrivers) struct BuildDeliveryContractTests {
    private static func digest(_ digit: Character) -> ContentDigest {
        ContentDigest(String(repeating: digit, count: 64))!
    }

    private static func delivery(_ digit: Character, at date: Date) -> BuildDelivery {
        BuildDelivery(
            format: .appImage, fileName: "Shop.AppImage", manifestDigest: digest(digit),
            manifestLength: 10,
            blobs: [
                ContentBlob(digest: digest("d"), length: 50),
                ContentBlob(digest: digest("c"), length: 40),
            ], downloadLength: 100, unpackedLength: 200, created: date)
    }

    @Test(arguments: StoreDriver.all)
    func `a build has its file until it is given up, and can get it again`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let version = try await fixture.versions.create(
            "1.0", id: .fresh(), of: app.app.id, platform: .linux, by: fixture.admin)
        let build = try await fixture.versions.addBuild(
            "1", id: .fresh(), to: version.id, digest: String(repeating: "a", count: 64), size: 70,
            by: fixture.admin)
        let now = Date(timeIntervalSince1970: 1_400_000_000)
        try await fixture.database.write { repositories in
            let deliveries = repositories.buildDeliveries
            #expect(try deliveries.delivery(of: build.id) == nil)
            var delivery = Self.delivery("e", at: now)
            try deliveries.insert(delivery, of: build.id)
            #expect(try deliveries.delivery(of: build.id) == delivery)
            let file = try repositories.appVersions.build(build.id)?.file
            #expect(file?.format == .appImage && file?.unpackedLength == 200)
            #expect(try deliveries.recordPermit(of: build.id, at: now.addingTimeInterval(9)))
            #expect(try deliveries.recordPermit(of: build.id, at: now))
            delivery.lastPermit = now.addingTimeInterval(9)
            #expect(try deliveries.deliveries(of: app.app.id).map(\.delivery) == [delivery])
            // The file, the manifest and the blobs.
            for digit in "aedc" {
                #expect(try repositories.content.isNeeded(Self.digest(digit)))
            }
            try deliveries.retire(build.id, at: now)
            #expect(try !deliveries.recordPermit(of: build.id, at: now))
            #expect(try repositories.appVersions.build(build.id)?.file == nil)
            #expect(try deliveries.deliveries(of: app.app.id).isEmpty)
            for digit in "aedc" {
                #expect(try !repositories.content.isNeeded(Self.digest(digit)))
                #expect(try repositories.content.isKnown(Self.digest(digit)))
                try repositories.content.forget(Self.digest(digit))
            }
            try deliveries.insert(Self.delivery("f", at: now), of: build.id)
            #expect(try deliveries.delivery(of: build.id) == Self.delivery("f", at: now))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a build's upload is of the file that it was recorded with, and goes with the build`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let version = try await fixture.versions.create(
            "1.0", id: .fresh(), of: app.app.id, platform: .linux, by: fixture.admin)
        let build = try await fixture.versions.addBuild(
            "1", id: .fresh(), to: version.id, digest: String(repeating: "a", count: 64), size: 25,
            by: fixture.admin)
        let uploads = UploadService(database: fixture.database, clock: fixture.clock)
        func draft(_ digit: Character, _ size: Int64) -> UploadDraft {
            UploadDraft(
                id: UploadID(UUID()), bundleID: app.app.bundleID, subject: .build(build.id),
                fileName: "Shop.zip", size: size, digest: Self.digest(digit))
        }
        for (digit, size) in [("b", 25), ("a", 24)] as [(Character, Int64)] {
            await #expect(throws: ContentRefusal.otherBuildFile(build.number, build.digest)) {
                _ = try await uploads.begin(draft(digit, size), team: nil, free: .max)
            }
        }
        await #expect(throws: ContentRefusal.unknownApp(app.app.bundleID)) {
            _ = try await uploads.begin(draft("a", 25), team: fixture.otherTeam, free: .max)
        }
        let begun = try await uploads.begin(draft("a", 25), team: fixture.team, free: .max)
        let again = try await uploads.begin(draft("a", 25), team: fixture.team, free: .max)
        #expect(begun.isNew && !again.isNew && again.status.upload.id == begun.status.upload.id)
        let upload = begun.status.upload
        #expect(upload.subject == .build(build.id) && upload.team == fixture.team)
        try await uploads.record(part: 0, digest: Self.digest("a"), of: upload.id, team: nil)
        #expect(try await uploads.commit(upload.id, team: nil).upload.state == .uploadComplete)
        let processing = ProcessingService(database: fixture.database, clock: fixture.clock)
        #expect(try await processing.claim(as: "process")?.subject == .build(build.id))
        try await fixture.versions.delete(version.id, by: fixture.admin)
        #expect(try await fixture.database.read { try $0.uploads.upload(upload.id) } == nil)
    }
}
