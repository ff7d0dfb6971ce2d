import Foundation
import StoreBackup
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

/// Backups are whole, or not there; what is restored is what was backed up.
@Suite struct BackupTests {
    private let scene: BackupScene

    init() async throws {
        scene = try await BackupScene()
    }

    @Test(arguments: ["backups", "backup.tar"])
    func `what is restored is what was backed up`(place: String) async throws {
        let outcome = try scene.backUp(to: scene.folder.file(place))
        let directory = try scene.restore(outcome.place)
        let store = scene.opened.store.directory
        for name in try BackupScene.files(in: store)
        where name.hasPrefix("keys/") || name.hasPrefix("content/") {
            let (old, new) = (
                store.appendingPathComponent(name), directory.appendingPathComponent(name)
            )
            #expect(try Data(contentsOf: old) == Data(contentsOf: new), "\(name)")
            let attributes = try FileManager.default.attributesOfItem(atPath: new.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let restored = try Store(directory: directory, clock: scene.opened.clock, log: .silent)
        defer { restored.close() }
        let digests = try await scene.digests()
        #expect(digests.count > 2)
        for digest in digests { #expect(try restored.content.exists(digest)) }
        // The publisher goes on with the upload where it was.
        let status = try await restored.services.uploads.status(scene.upload, team: nil)
        #expect(status.present == [0])
        let file = try #require(try restored.uploadFiles.open(scene.upload, isAlone: false))
        #expect(try file.read(0..<Int64(BackupScene.part.count)) == BackupScene.part)
        #expect(try restored.rootFingerprint() == scene.opened.store.rootFingerprint())
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/.restoring"))
    }

    @Test func `keys that several processes share by a link are in it`() throws {
        let store = scene.opened.store.directory
        let shared = scene.folder.file("shared-keys")
        let keys = store.appendingPathComponent("keys")
        try FileManager.default.moveItem(at: keys, to: shared)
        try FileManager.default.createSymbolicLink(at: keys, withDestinationURL: shared)
        let directory = try scene.restore(scene.backUp().place)
        for name in try BackupScene.files(in: shared) {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: shared.appendingPathComponent(name).path,
                    andPath: directory.appendingPathComponent("keys/\(name)").path), "\(name)")
        }
    }

    @Test func `a manifest names every file with size and digest`() throws {
        let outcome = try scene.backUp()
        let manifest = try BackupReader(outcome.place).manifest()
        #expect(manifest == outcome.manifest)
        let files = try BackupScene.files(in: outcome.place).filter { $0 != "manifest.json" }
        #expect(manifest.files.map(\.path).sorted() == files)
        #expect(manifest.store == (try scene.opened.store.rootFingerprint()))
        #expect(manifest.contentPlace == nil)
        for file in manifest.files {
            let url = outcome.place.appendingPathComponent(file.path)
            #expect(try BackupDisk.digest(of: url) == file.sha256, "\(file.path)")
        }
    }

    @Test func `what is collected while a backup is made is not missed in it`() async throws {
        let store = scene.opened.store
        let isCollected = Mutex(false)
        scene.opened.clock.advance(by: 100 * 86_400)
        let before = try await scene.digests()
        // Behind the beginning of the first picture.
        let outcome = try await onThread { [scene] in
            try scene.backUp { progress in
                guard progress.phase == .database, isCollected.withLock({ $0.exchanged() }) else {
                    return
                }
                let end = DispatchSemaphore(value: 0)
                Task.detached {
                    defer { end.signal() }
                    _ = try? await store.collect(.standard)
                }
                end.wait()
            }
        }
        let after = try await scene.digests()
        #expect(after.count < before.count)
        let directory = try scene.restore(outcome.place)
        for digest in after {
            let file = scene.content(digest, in: directory)
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
        let gone = Set(before).subtracting(after)
        #expect(!gone.isEmpty)
        for digest in gone {
            #expect(!outcome.manifest.files.contains { $0.path.hasSuffix(digest.text) })
        }
    }

    @Test(arguments: [true, false])
    func `content that is missing or damaged is named, and there is no backup`(
        isMissing: Bool
    ) async throws {
        let digest = try #require(try await scene.digests().first)
        let file = scene.content(digest, in: scene.opened.store.directory)
        if isMissing {
            try FileManager.default.removeItem(at: file)
        } else {
            try Data("nothing of it".utf8).write(to: file)
        }
        #expect { try scene.backUp() } throws: { "\($0)".contains(digest.text) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.backups.path).isEmpty)
    }

    @Test func `of a damaged database there is no backup`() async throws {
        let database = scene.opened.store.directory.appendingPathComponent("store.sqlite")
        let shell = try await ChildProgram.run(
            "/usr/bin/sqlite3",
            [
                database.path,
                "PRAGMA foreign_keys = OFF; INSERT INTO ledger_finish (id, date) VALUES (999999, 1)",
            ])
        #expect(shell.status == 0)
        #expect { try scene.backUp() } throws: { "\($0)".contains("the database is damaged") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.backups.path).isEmpty)
    }

    @Test func `a later backup shares what has not changed, and not what is damaged`()
        async throws
    {
        let first = try scene.backUp()
        #expect(first.sharedBytes == 0)
        let digests = try await scene.digests()
        let changed = try #require(digests.first)
        let spoilt = scene.content(changed, in: first.place.appendingPathComponent("store"))
        try Data("a bit has turned".utf8).write(to: spoilt)
        let second = try scene.backUp()
        #expect(second.place != first.place)
        func number(_ digest: ContentDigest, _ backup: URL) throws -> Int? {
            let url = scene.content(digest, in: backup.appendingPathComponent("store"))
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            return attributes[.systemFileNumber] as? Int
        }
        for digest in digests {
            let isShared = try number(digest, first.place) == number(digest, second.place)
            #expect(isShared == (digest != changed))
        }
        #expect(second.sharedBytes > 0)
        // The newest is what a folder of several stands for, and it needs no other.
        try FileManager.default.removeItem(at: first.place)
        #expect(try BackupReader(scene.backups).manifest() == second.manifest)
        _ = try scene.restore(scene.backups)
    }

    @Test func `what a killed backup leaves is no backup, and goes with the next one`() throws {
        let left = scene.backups.appendingPathComponent(".openstore-backup-left/backup")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        #expect(throws: BackupError.self) { try BackupReader(scene.backups) }
        #expect(throws: BackupError.self) { try BackupReader(left) }
        let outcome = try scene.backUp()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scene.backups.path)
                == [outcome.place.lastPathComponent])
    }

    @Test func `a file that is there is not written over`() throws {
        let file = try scene.folder.write("backup.tar", "mine")
        #expect(throws: BackupError.self) { try scene.backUp(to: file) }
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }

    @Test func `where there is no store nothing is made`() throws {
        let places = StorePlaces(
            directory: scene.folder.file("nothing"), database: nil, objects: nil)
        #expect(throws: BackupError.self) {
            try BackupMaking(places, program: "0.0")
                .run(to: BackupPlace(scene.backups), withContent: false) { _ in }
        }
        #expect(!FileManager.default.fileExists(atPath: scene.backups.path))
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("nothing").path))
    }
}

extension Bool {
    /// Becomes true; says whether it was not.
    fileprivate mutating func exchanged() -> Bool {
        defer { self = true }
        return !self
    }
}
