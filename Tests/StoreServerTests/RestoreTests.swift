import Foundation
import StoreBackup
import StoreContent
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// A restore makes a whole store, or none.
@Suite struct RestoreTests {
    private let fixture: BackupFixture

    init() async throws {
        fixture = try await BackupFixture()
    }

    private func nothingIsThere(_ name: String = "restored") -> Bool {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: fixture.folder.file(name).path)
        return (names ?? []).isEmpty
    }

    @Test func `a folder with anything in it is left alone`() throws {
        let backup = try fixture.backUp().place
        let store = fixture.opened.store.directory
        let before = try BackupFixture.files(in: store)
        #expect { try fixture.restore(backup, as: "store") } throws: {
            "\($0)".contains("has a store in it already")
        }
        try fixture.folder.write("other/file", "mine")
        #expect { try fixture.restore(backup, as: "other") } throws: {
            "\($0)".contains("is not empty")
        }
        #expect(try BackupFixture.files(in: store) == before)
        #expect(try BackupFixture.files(in: fixture.folder.file("other")) == ["file"])
    }

    /// What happens to a backup.
    enum Damage: String, Sendable, CaseIterable {
        case changed, shortened, missing, stranger, manifest, escaping, noManifest, newer, otherKeys
    }

    @Test(arguments: Damage.allCases)
    func `a backup that is not whole is refused before anything takes its place`(
        damage: Damage
    ) async throws {
        let backup = try fixture.backUp().place
        let digest = try #require(try await fixture.digests().first)
        let content = fixture.content(digest, in: backup.appendingPathComponent("store"))
        let manifest = backup.appendingPathComponent("manifest.json")
        func edit(_ change: (String) -> String) throws {
            let text = try String(contentsOf: manifest, encoding: .utf8)
            try change(text).write(to: manifest, atomically: false, encoding: .utf8)
        }
        switch damage {
        case .changed:
            var bytes = try Data(contentsOf: content)
            try #require(!bytes.isEmpty)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: content)
        case .shortened: try Data(contentsOf: content).dropLast().write(to: content)
        case .missing: try FileManager.default.removeItem(at: content)
        case .stranger:
            try Data().write(to: backup.appendingPathComponent("store/keys/other.pem"))
        case .manifest: try edit { String($0.dropLast(100)) }
        case .escaping: try edit { $0.replacing("store/store.sqlite", with: "store/../../x") }
        case .noManifest: try FileManager.default.removeItem(at: manifest)
        case .newer: try edit { $0.replacing("\"format\" : 1", with: "\"format\" : 2") }
        case .otherKeys:
            let store = try fixture.opened.store.rootFingerprint()
            try edit { $0.replacing(store, with: String(repeating: "0", count: 64)) }
        }
        #expect(throws: BackupError.self) { try fixture.restore(backup) }
        #expect(nothingIsThere())
        #expect(throws: BackupError.self) {
            try fixture.check(BackupReader(backup))
        }
    }

    @Test func `an archive that ends early is refused`() throws {
        let file = fixture.folder.file("backup.tar")
        try fixture.backUp(to: file)
        let whole = try Data(contentsOf: file)
        try #require(whole.count > 20_000)
        for length in [whole.count / 2, whole.count - 20_000, 512, 0] {
            try whole.prefix(length).write(to: file)
            #expect(throws: BackupError.self, "\(length)") { try fixture.restore(file) }
            #expect(nothingIsThere())
        }
    }

    @Test func `files of an archive stay in the folder`() async throws {
        try fixture.folder.write("evil/store/keys/root.pem", "key")
        try fixture.folder.write("evil/escaped", "text")
        for (options, names) in [
            (["--transform", "s,escaped,../escaped,"], ["escaped"]),
            (["--absolute-names"], [fixture.folder.file("evil/escaped").path]),
            ([], ["store", "escaped"]),
        ] {
            let file = fixture.folder.file("evil.tar")
            let (status, output) = try await ChildProgram.run(
                "/usr/bin/tar",
                ["-C", fixture.folder.file("evil").path, "-cf", file.path] + options + names)
            try #require(status == 0, "\(String(decoding: output, as: UTF8.self))")
            #expect(throws: BackupError.self) { try fixture.restore(file) }
            #expect(nothingIsThere())
            #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("escaped").path))
        }
    }

    @Test func `a restore that was broken off is no store, and begins again`() throws {
        let backup = try fixture.backUp().place
        let directory = fixture.folder.file("restored")
        // As a kill leaves it between two renames: some is in its place.
        let store = directory.appendingPathComponent(".restoring/store")
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: backup.appendingPathComponent("store/keys"),
            to: directory.appendingPathComponent("keys"))
        try Data("half".utf8).write(to: directory.appendingPathComponent("store.sqlite"))
        #expect { try Store(directory: directory, log: .silent) } throws: {
            "\($0)".contains("run it again")
        }
        let report = StoreDiagnostics(
            StorePaths(directory: directory, database: nil, objects: nil), isQuick: true,
            now: Date()
        ).run { _, _ in }
        #expect(report.findings.contains { $0.what == "a restore was broken off" })
        _ = try fixture.restore(backup)
        try Store(directory: directory, clock: fixture.opened.clock, log: .silent).close()
    }

    // MARK: Object stores

    // What waits for the object store does so on threads of its own.

    private static func objects(_ prefix: String) async throws -> ObjectStorage {
        let server = try await onThread { try ObjectServer.shared }
        return try server.storage("\(prefix)-\(UUID().uuidString)")
    }

    private func restore(
        _ backup: URL, as name: String = "restored", objects: ObjectStorage
    ) async throws -> URL {
        try await onThread { [fixture] in try fixture.restore(backup, as: name, objects: objects) }
    }

    private func check(
        _ backup: URL, objects: ObjectStorage? = nil
    ) async throws -> BackupManifest {
        try await onThread { [fixture] in try fixture.check(BackupReader(backup), objects: objects)
        }
    }

    @Test func `content of a folder goes into a bucket`() async throws {
        let backup = try fixture.backUp().place
        let objects = try await Self.objects("restored")
        let directory = try await restore(backup, objects: objects)
        for name in ["content", "uploads", "assets"] {
            #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/\(name)"))
        }
        for digest in try await fixture.digests() {
            #expect(try await onThread { try objects.content.exists(digest) })
        }
        let restored = try Store(
            directory: directory, objects: objects, clock: fixture.opened.clock, log: .silent)
        defer { restored.close() }
        try await restored.checkObjects()
        let (files, upload) = (restored.uploadFiles, fixture.upload)
        let part = try await onThread {
            try files.open(upload, isAlone: false)?.read(0..<Int64(BackupFixture.part.count))
        }
        #expect(part == BackupFixture.part)
        // Another store has its prefix to itself.
        let foreign = try await Self.objects("foreign")
        try await onThread { try foreign.claim(for: "somebody else") }
        await #expect(throws: ObjectStoreError.self) {
            try await restore(backup, as: "other", objects: foreign)
        }
        #expect(nothingIsThere("other"))
    }

    @Test func `content of a bucket stays there unless it is asked for`() async throws {
        let first = try fixture.backUp().place
        let objects = try await Self.objects("bucket")
        let directory = try await restore(first, as: "shop", objects: objects)
        let paths = StorePaths(directory: directory, database: nil, objects: objects)
        func backUp(_ name: String, withContent: Bool) async throws -> BackupBuilder.Outcome {
            let file = fixture.folder.file(name)
            return try await onThread {
                try BackupBuilder(paths, program: "0.0").run(
                    to: BackupLocation(file), withContent: withContent
                ) { _ in }
            }
        }
        let light = try await backUp("light.tar", withContent: false)
        #expect(light.manifest.contentPlace?.hasPrefix("s3://contract/bucket-") == true)
        #expect(!light.manifest.files.contains { $0.path.hasPrefix("store/content/") })
        #expect { try fixture.restore(light.place, as: "none") } throws: {
            "\($0)".contains("--content")
        }
        _ = try await restore(light.place, as: "again", objects: objects)

        let whole = try await backUp("whole.tar", withContent: true)
        #expect(whole.manifest.contentPlace == nil)
        _ = try fixture.restore(whole.place, as: "folders")
        for digest in try await fixture.digests() {
            let file = fixture.content(digest, in: fixture.folder.file("folders"))
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
        // What the bucket has lost is missed by both.
        _ = try await check(light.place, objects: objects)
        let lost = try #require(try await fixture.digests().first)
        try await onThread { try objects.content.remove(lost) }
        // The backup itself is whole; the bucket that it relies on is not.
        _ = try await check(light.place)
        await #expect { try await check(light.place, objects: objects) } throws: {
            "\($0)".contains("lacks 1 files")
        }
        await #expect(throws: BackupError.self) {
            try await backUp("late.tar", withContent: false)
        }
        await #expect { try await restore(light.place, as: "late", objects: objects) } throws: {
            "\($0)".contains("lacks 1 files")
        }
    }
}
