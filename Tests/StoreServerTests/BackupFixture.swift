import Foundation
import StoreBackup
import StoreContent
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport

/// A store with content of two versions, a package on its way, and a place for backups.
struct BackupFixture: Sendable {
    static let app = SampleShop.bundleID
    static let chapter = ProductID(SampleShop.chapter)!
    /// A part of a package that has arrived; the next one has not.
    static let part = SampleShop.noise(1 << 20, seed: 3)

    let opened: OpenedStore
    let upload: UploadID
    var folder: TemporaryFolder { opened.folder }
    var backups: URL { folder.file("backups") }
    var paths: StorePaths {
        StorePaths(directory: opened.store.directory, database: nil, objects: nil)
    }

    init() async throws {
        opened = try await OpenedStore()
        for version in ["1.0", "2.0"] {
            let content = try ContentFolder()
            try content.add(SampleShop.chapter, version: version, text: "The text of \(version).")
            try await opened.importShop(content: content.url, isApproved: true)
            opened.clock.advance(by: 60)
        }
        let uploads = opened.store.services.uploads
        let draft = UploadDraft(
            id: UploadID(UUID()), bundleID: Self.app, subject: .product(Self.chapter),
            fileName: "chapter.pkg", size: Int64(Self.part.count) + 1000,
            digest: try .of(Data("whole".utf8)))
        upload = try await uploads.begin(draft, team: nil, free: .max).status.upload.id
        try opened.store.uploadFiles.open(upload, isAlone: false)?.write(Self.part, at: 0)
        try await uploads.record(
            part: 0, digest: try .of(Self.part), of: upload, team: nil)
    }

    /// Makes a backup into the folder of backups, or into a file.
    @discardableResult
    func backUp(
        to url: URL? = nil, withContent: Bool = false, objects: ObjectStorage? = nil,
        report: @escaping (BackupProgress) -> Void = { _ in }
    ) throws -> BackupBuilder.Outcome {
        let paths = StorePaths(
            directory: opened.store.directory, database: nil, objects: objects)
        return try BackupBuilder(paths, program: "0.0", now: { opened.clock.now() })
            .run(to: BackupLocation(url ?? backups), withContent: withContent, report: report)
    }

    /// Makes a store of a backup; gives its folder.
    func restore(
        _ backup: URL, as name: String = "restored", objects: ObjectStorage? = nil
    ) throws -> URL {
        let directory = folder.file(name)
        let paths = StorePaths(directory: directory, database: nil, objects: objects)
        _ = try BackupRestorer(paths, database: nil)
            .run(from: BackupReader(backup), now: opened.clock.now()) { _ in }
        return directory
    }

    /// Reads a backup and compares it with what it names.
    func check(_ backup: BackupReader, objects: ObjectStorage? = nil) throws -> BackupManifest {
        let paths = StorePaths(
            directory: folder.file("nowhere"), database: nil, objects: objects)
        return try BackupRestorer(paths, database: nil)
            .check(backup, in: folder.file("check")) { _ in }
    }

    /// The digests that the shop's newest content needs.
    func digests() async throws -> [ContentDigest] {
        try await opened.product(SampleShop.chapter)?.releases.filter { !$0.isRetired }
            .flatMap(\.digests) ?? []
    }

    func content(_ digest: ContentDigest, in directory: URL) -> URL {
        directory.appendingPathComponent("content/\(digest.text.prefix(2))/\(digest.text)")
    }

    /// The file names in a folder and below it, without folders and locks.
    static func files(in url: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { name in
            var isFolder: ObjCBool = false
            let path = url.appendingPathComponent(name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && !isFolder.boolValue && !name.hasSuffix("/.lock") && name != ".lock"
        }.sorted()
    }
}
