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
    private let scene: BackupScene

    init() async throws {
        scene = try await BackupScene()
    }

    private func nothingIsThere(_ name: String = "restored") -> Bool {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: scene.folder.file(name).path)
        return (names ?? []).isEmpty
    }

    @Test func `a folder with anything in it is left alone`() throws {
        let backup = try scene.backUp().place
        let store = scene.opened.store.directory
        let before = try BackupScene.files(in: store)
        #expect { try scene.restore(backup, as: "store") } throws: {
            "\($0)".contains("has a store in it already")
        }
        try scene.folder.write("other/file", "mine")
        #expect { try scene.restore(backup, as: "other") } throws: {
            "\($0)".contains("is not empty")
        }
        #expect(try BackupScene.files(in: store) == before)
        #expect(try BackupScene.files(in: scene.folder.file("other")) == ["file"])
    }

    /// What happens to a backup.
    enum Damage: String, Sendable, CaseIterable {
        case changed, shortened, missing, stranger, manifest, escaping, noManifest, newer, otherKeys
    }

    @Test(arguments: Damage.allCases)
    func `a backup that is not whole is refused before anything takes its place`(
        damage: Damage
    ) async throws {
        let backup = try scene.backUp().place
        let digest = try #require(try await scene.digests().first)
        let content = scene.content(digest, in: backup.appendingPathComponent("store"))
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
            let store = try scene.opened.store.rootFingerprint()
            try edit { $0.replacing(store, with: String(repeating: "0", count: 64)) }
        }
        #expect(throws: BackupError.self) { try scene.restore(backup) }
        #expect(nothingIsThere())
        #expect(throws: BackupError.self) {
            try scene.check(BackupReader(backup))
        }
    }

    @Test func `an archive that ends early is refused`() throws {
        let file = scene.folder.file("backup.tar")
        try scene.backUp(to: file)
        let whole = try Data(contentsOf: file)
        try #require(whole.count > 20_000)
        for length in [whole.count / 2, whole.count - 20_000, 512, 0] {
            try whole.prefix(length).write(to: file)
            #expect(throws: BackupError.self, "\(length)") { try scene.restore(file) }
            #expect(nothingIsThere())
        }
    }

    @Test func `files of an archive stay in the folder`() async throws {
        try scene.folder.write("evil/store/keys/root.pem", "key")
        try scene.folder.write("evil/escaped", "text")
        for (options, names) in [
            (["--transform", "s,escaped,../escaped,"], ["escaped"]),
            (["--absolute-names"], [scene.folder.file("evil/escaped").path]),
            ([], ["store", "escaped"]),
        ] {
            let file = scene.folder.file("evil.tar")
            let (status, output) = try await ChildProgram.run(
                "/usr/bin/tar",
                ["-C", scene.folder.file("evil").path, "-cf", file.path] + options + names)
            try #require(status == 0, "\(String(decoding: output, as: UTF8.self))")
            #expect(throws: BackupError.self) { try scene.restore(file) }
            #expect(nothingIsThere())
            #expect(!FileManager.default.fileExists(atPath: scene.folder.file("escaped").path))
        }
    }

    @Test func `a restore that was broken off is no store, and begins again`() throws {
        let backup = try scene.backUp().place
        let directory = scene.folder.file("restored")
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
        let report = StoreCheckup(
            StorePlaces(directory: directory, database: nil, objects: nil), isQuick: true,
            now: Date()
        ).run { _, _ in }
        #expect(report.findings.contains { $0.what == "a restore was broken off" })
        _ = try scene.restore(backup)
        try Store(directory: directory, clock: scene.opened.clock, log: .silent).close()
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
        try await onThread { [scene] in try scene.restore(backup, as: name, objects: objects) }
    }

    private func check(
        _ backup: URL, objects: ObjectStorage? = nil
    ) async throws -> BackupManifest {
        try await onThread { [scene] in try scene.check(BackupReader(backup), objects: objects) }
    }

    @Test func `content of a folder goes into a bucket`() async throws {
        let backup = try scene.backUp().place
        let objects = try await Self.objects("restored")
        let directory = try await restore(backup, objects: objects)
        for name in ["content", "uploads", "assets"] {
            #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/\(name)"))
        }
        for digest in try await scene.digests() {
            #expect(try await onThread { try objects.content.exists(digest) })
        }
        let restored = try Store(
            directory: directory, objects: objects, clock: scene.opened.clock, log: .silent)
        defer { restored.close() }
        try await restored.checkObjects()
        let (files, upload) = (restored.uploadFiles, scene.upload)
        let part = try await onThread {
            try files.open(upload, isAlone: false)?.read(0..<Int64(BackupScene.part.count))
        }
        #expect(part == BackupScene.part)
        // Another store has its prefix to itself.
        let foreign = try await Self.objects("foreign")
        try await onThread { try foreign.claim(for: "somebody else") }
        await #expect(throws: ObjectStoreError.self) {
            try await restore(backup, as: "other", objects: foreign)
        }
        #expect(nothingIsThere("other"))
    }

    @Test func `content of a bucket stays there unless it is asked for`() async throws {
        let first = try scene.backUp().place
        let objects = try await Self.objects("bucket")
        let directory = try await restore(first, as: "shop", objects: objects)
        let places = StorePlaces(directory: directory, database: nil, objects: objects)
        func backUp(_ name: String, withContent: Bool) async throws -> BackupMaking.Outcome {
            let file = scene.folder.file(name)
            return try await onThread {
                try BackupMaking(places, program: "0.0").run(
                    to: BackupPlace(file), withContent: withContent
                ) { _ in }
            }
        }
        let light = try await backUp("light.tar", withContent: false)
        #expect(light.manifest.contentPlace?.hasPrefix("s3://contract/bucket-") == true)
        #expect(!light.manifest.files.contains { $0.path.hasPrefix("store/content/") })
        #expect { try scene.restore(light.place, as: "none") } throws: {
            "\($0)".contains("--content")
        }
        _ = try await restore(light.place, as: "again", objects: objects)

        let whole = try await backUp("whole.tar", withContent: true)
        #expect(whole.manifest.contentPlace == nil)
        _ = try scene.restore(whole.place, as: "folders")
        for digest in try await scene.digests() {
            let file = scene.content(digest, in: scene.folder.file("folders"))
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
        // What the bucket has lost is missed by both.
        _ = try await check(light.place, objects: objects)
        let lost = try #require(try await scene.digests().first)
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
