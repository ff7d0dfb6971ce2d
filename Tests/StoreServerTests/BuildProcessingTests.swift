import Foundation
import StoreAPI
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// What becomes of the files of builds.
@Suite struct BuildProcessingTests {
    private let shop: TestStore
    private let clock = SettableClock()
    private var store: Store { shop.store }
    private var versions: AppVersionService { store.services.appVersions }

    init() async throws {
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
    }

    private func version(_ number: String = "1.0") async throws -> AppVersionID {
        let app = try #require(
            try await store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        return try await versions.create(
            number, id: AppVersionID(UUID()), of: app.id, platform: .linux, by: .machine
        ).id
    }

    private func upload(
        _ file: Data, named name: String, to version: AppVersionID
    ) async throws -> UploadService.Status {
        let packages = BrowserPackages(store.services)
        let begun = try await packages.takeWhole(
            file, fileName: name, for: .version(version), by: .machine)
        try await ContentProcessor(store: store).processWaiting()
        return try await packages.status(begun.upload.id, for: .version(version), by: .machine)
    }

    private func delivery(of version: AppVersionID) async throws -> DeliveredBuild {
        let found = try await versions.version(version, by: .machine)
        let build = try #require(found.builds.first { $0.id == found.version.build })
        let delivery = try await store.database.read {
            try $0.buildDeliveries.delivery(of: build.id)
        }
        return DeliveredBuild(
            build: build, version: found.version, delivery: try #require(delivery))
    }

    @Test func `a file that the rules refuse is told why, and its build gets none`() async throws {
        let good = TestStore.appFile("1.0")
        let version = try await version()
        let rows: [(name: String, file: Data, rule: String)] = [
            ("app.tar.zst", TestStore.appFile("1.1"), "version"),
            ("app.tar.zst", Data(good.dropLast(100)), "readable"),
            ("app.zip", good, "fileName"),
            ("app.deb", SampleShop.noise(2000, seed: 7), "readable"),
        ]
        for row in rows {
            let status = try await upload(row.file, named: row.name, to: version)
            #expect(status.upload.state == .failed, "\(row.name)")
            #expect(status.problems.contains { $0.rule == row.rule }, "\(row.name)")
        }
        let count = try await versions.version(version, by: .machine).builds.count
        let refusal = await #expect(throws: ConnectRefusal.self) {
            _ = try await upload(good, named: "app.exe", to: version)
        }
        #expect(refusal?.description.contains(".AppImage") == true)
        let builds = try await versions.version(version, by: .machine).builds
        #expect(builds.allSatisfy { $0.file == nil } && builds.count == count)
        #expect(try await versions.missing(of: version, by: .machine).contains(.build))
        // The good one takes the place of the first, which was chosen and has no file.
        #expect(try await upload(good, named: "app.tar.zst", to: version).upload.state == .complete)
        let made = try await delivery(of: version)
        #expect(made.build.file?.format == .tarZstd)
        #expect(try await !versions.missing(of: version, by: .machine).contains(.build))
    }

    @Test func `the file is kept as it came, and an update adds what has changed`() async throws {
        var data = SampleShop.noise(8_000_000, seed: 1)
        let first = try await shop.deliverApp("1.0", data: data)
        let before = try await delivery(of: first.version)
        let content = try #require(try store.content.open(before.build.digest))
        let file = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
        #expect(try file.readToEnd() == first.file)

        data.replaceSubrange(1_000_000..<1_080_000, with: SampleShop.noise(80_000, seed: 2))
        let after = try await delivery(of: try await shop.deliverApp("1.1", data: data).version)
        let known = Set(before.delivery.blobs)
        let new = after.delivery.blobs.filter { !known.contains($0) }.reduce(0) { $0 + $1.length }
        #expect((new + after.delivery.manifestLength) * 50 <= after.build.size)

        // Nobody gets the first one any more; its file goes, and what both need stays.
        clock.advance(by: 40 * 86_400)
        let report = try await store.collect(.standard, at: clock.now())
        #expect(report.builds == 1)
        #expect(try !store.content.exists(before.build.digest))
        for digest in after.delivery.digests + [after.build.digest] {
            #expect(try store.content.exists(digest))
        }
        #expect(try await versions.version(first.version, by: .machine).builds.first?.file == nil)
    }
}
