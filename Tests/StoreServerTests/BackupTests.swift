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
    private let fixture: BackupFixture

    init() async throws {
        fixture = try await BackupFixture()
    }

    @Test(arguments: ["backups", "backup.tar"])
    func `what is restored is what was backed up`(place: String) async throws {
        let outcome = try fixture.backUp(to: fixture.folder.file(place))
        let directory = try fixture.restore(outcome.place)
        let store = fixture.opened.store.directory
        for name in try BackupFixture.files(in: store)
        where name.hasPrefix("keys/") || name.hasPrefix("content/") {
            let (old, new) = (
                store.appendingPathComponent(name), directory.appendingPathComponent(name)
            )
            #expect(try Data(contentsOf: old) == Data(contentsOf: new), "\(name)")
            let attributes = try FileManager.default.attributesOfItem(atPath: new.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let restored = try Store(directory: directory, clock: fixture.opened.clock, log: .silent)
        defer { restored.close() }
        let digests = try await fixture.digests()
        #expect(digests.count > 2)
        for digest in digests { #expect(try restored.content.exists(digest)) }
        // The publisher goes on with the upload where it was.
        let status = try await restored.services.uploads.status(fixture.upload, team: nil)
        #expect(status.present == [0])
        let file = try #require(try restored.uploadFiles.open(fixture.upload, isAlone: false))
        #expect(try file.read(0..<Int64(BackupFixture.part.count)) == BackupFixture.part)
        #expect(try restored.rootFingerprint() == fixture.opened.store.rootFingerprint())
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/.restoring"))
    }

    @Test func `keys that several processes share by a link are in it`() throws {
        let store = fixture.opened.store.directory
        let shared = fixture.folder.file("shared-keys")
        let keys = store.appendingPathComponent("keys")
        try FileManager.default.moveItem(at: keys, to: shared)
        try FileManager.default.createSymbolicLink(at: keys, withDestinationURL: shared)
        let directory = try fixture.restore(fixture.backUp().place)
        for name in try BackupFixture.files(in: shared) {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: shared.appendingPathComponent(name).path,
                    andPath: directory.appendingPathComponent("keys/\(name)").path), "\(name)")
        }
    }

    @Test func `a manifest names every file with size and digest`() throws {
        let outcome = try fixture.backUp()
        let manifest = try BackupReader(outcome.place).manifest()
        #expect(manifest == outcome.manifest)
        let files = try BackupFixture.files(in: outcome.place).filter { $0 != "manifest.json" }
        #expect(manifest.files.map(\.path).sorted() == files)
        #expect(manifest.store == (try fixture.opened.store.rootFingerprint()))
        #expect(manifest.contentPlace == nil)
        for file in manifest.files {
            let url = outcome.place.appendingPathComponent(file.path)
            #expect(try BackupDisk.digest(of: url) == file.sha256, "\(file.path)")
        }
    }

    @Test func `what is collected while a backup is made is not missed in it`() async throws {
        let store = fixture.opened.store
        let isCollected = Mutex(false)
        fixture.opened.clock.advance(by: 100 * 86_400)
        let before = try await fixture.digests()
        // Behind the beginning of the first picture.
        let outcome = try await onThread { [fixture] in
            try fixture.backUp { progress in
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
        let after = try await fixture.digests()
        #expect(after.count < before.count)
        let directory = try fixture.restore(outcome.place)
        for digest in after {
            let file = fixture.content(digest, in: directory)
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
        let digest = try #require(try await fixture.digests().first)
        let file = fixture.content(digest, in: fixture.opened.store.directory)
        if isMissing {
            try FileManager.default.removeItem(at: file)
        } else {
            try Data("nothing of it".utf8).write(to: file)
        }
        #expect { try fixture.backUp() } throws: { "\($0)".contains(digest.text) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.backups.path).isEmpty)
    }

    @Test func `of a damaged database there is no backup`() async throws {
        let database = fixture.opened.store.directory.appendingPathComponent("store.sqlite")
        let shell = try await ChildProgram.run(
            "/usr/bin/sqlite3",
            [
                database.path,
                "PRAGMA foreign_keys = OFF; INSERT INTO ledger_finish (id, date) VALUES (999999, 1)",
            ])
        #expect(shell.status == 0)
        #expect { try fixture.backUp() } throws: { "\($0)".contains("the database is damaged") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.backups.path).isEmpty)
    }

    @Test func `a later backup shares what has not changed, and not what is damaged`()
        async throws
    {
        let first = try fixture.backUp()
        #expect(first.sharedBytes == 0)
        let digests = try await fixture.digests()
        let changed = try #require(digests.first)
        let spoilt = fixture.content(changed, in: first.place.appendingPathComponent("store"))
        try Data("a bit has turned".utf8).write(to: spoilt)
        let second = try fixture.backUp()
        #expect(second.place != first.place)
        func number(_ digest: ContentDigest, _ backup: URL) throws -> Int? {
            let url = fixture.content(digest, in: backup.appendingPathComponent("store"))
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
        #expect(try BackupReader(fixture.backups).manifest() == second.manifest)
        _ = try fixture.restore(fixture.backups)
    }

    @Test func `what a killed backup leaves is no backup, and goes with the next one`() throws {
        let left = fixture.backups.appendingPathComponent(".openstore-backup-left/backup")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        #expect(throws: BackupError.self) { try BackupReader(fixture.backups) }
        #expect(throws: BackupError.self) { try BackupReader(left) }
        let outcome = try fixture.backUp()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.backups.path)
                == [outcome.place.lastPathComponent])
    }

    @Test func `a file that is there is not written over`() throws {
        let file = try fixture.folder.write("backup.tar", "mine")
        #expect(throws: BackupError.self) { try fixture.backUp(to: file) }
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }

    @Test func `where there is no store nothing is made`() throws {
        let paths = StorePaths(
            directory: fixture.folder.file("nothing"), database: nil, objects: nil)
        #expect(throws: BackupError.self) {
            try BackupBuilder(paths, program: "0.0")
                .run(to: BackupLocation(fixture.backups), withContent: false) { _ in }
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.backups.path))
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("nothing").path))
    }
}

extension Bool {
    /// Becomes true; says whether it was not.
    fileprivate mutating func exchanged() -> Bool {
        defer { self = true }
        return !self
    }
}
