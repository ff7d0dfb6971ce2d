import Foundation
import StoreKernel
import StoreKit
import StoreModel

/// The folder of an app: its versions side by side, and a link to the one that counts.
///
///     versions/1.2-0123456789ab/app/        the files of a version
///     versions/1.2-0123456789ab/manifest/   what they consist of, for the next update
///     versions/1.2-0123456789ab/app.json    what is said about it
///     current -> versions/1.2-0123456789ab
///     partial/                              what is being fetched
///     desktop.json                          files outside of the folder
///
/// The link is replaced by one rename, when everything is in its place and on the disk: so the
/// old version or the new one is there, whatever ends the program.
struct AppFolder: Sendable {
    /// What a folder is called that is being removed.
    static let removedPrefix = ".removed-"
    /// The record of a version.
    static let recordName = "app.json"

    let id: BundleID
    let url: URL

    var versions: URL { url.appendingPathComponent("versions") }
    var link: URL { url.appendingPathComponent("current") }
    var partial: URL { url.appendingPathComponent("partial") }
    var desktopRecord: URL { url.appendingPathComponent("desktop.json") }

    /// The version that counts; nil where the app is not installed.
    var current: InstalledApp? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link.path),
            let name = target.dropping(prefix: "versions/"), !name.contains(scalar: "/")
        else { return nil }
        return version(String(name))
    }

    /// All versions that are whole.
    var all: [InstalledApp] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions.path)) ?? []
        return names.sorted().compactMap { version($0) }
    }

    /// Nil where it is not there, or was not finished.
    func version(_ name: String) -> InstalledApp? {
        let folder = versions.appendingPathComponent(name)
        let record = (try? Data(contentsOf: folder.appendingPathComponent(Self.recordName)))
            .flatMap { try? JSONDecoder().decode(InstalledApp.Record.self, from: $0) }
        guard let record, record.bundleID == id else { return nil }
        return InstalledApp(folder: folder, record: record)
    }

    /// Moves a finished version to its place.
    func adopt(_ finished: URL, as name: String) throws -> URL {
        let place = versions.appendingPathComponent(name)
        let files = FileManager.default
        try files.createDirectory(at: versions, withIntermediateDirectories: true)
        // What a failure has left there is no version that counts.
        if access(place.path, F_OK) == 0 { try files.removeItem(at: place) }
        guard rename(finished.path, place.path) == 0 else {
            throw DurableFile.failure("can't be moved", place)
        }
        try DurableFile.synchronize(folder: versions)
        return place
    }

    /// Has a version count.
    func makeCurrent(_ version: URL) throws {
        let new = url.appendingPathComponent(".current")
        unlink(new.path)
        guard symlink("versions/\(version.lastPathComponent)", new.path) == 0,
            rename(new.path, link.path) == 0
        else { throw DurableFile.failure("can't be made", link) }
        try DurableFile.synchronize(folder: url)
    }

    /// Removes what was fetched of other builds, and versions but the one that counts and the one
    /// before, which may still run.
    func sweep(keeping partial: String? = nil, before: String? = nil) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: self.partial.path)) ?? []
        where name != partial {
            try? files.removeItem(at: self.partial.appendingPathComponent(name))
        }
        guard let current else { return }
        let kept: Set<String?> = [current.folder.lastPathComponent, before]
        for name in (try? files.contentsOfDirectory(atPath: versions.path)) ?? []
        where before != nil && !kept.contains(name) {
            try? files.removeItem(at: versions.appendingPathComponent(name))
        }
    }

    /// Removes the app. It is gone in one step; what takes longer happens afterwards.
    func remove() throws {
        let removed = url.deletingLastPathComponent().appendingPathComponent(
            "\(Self.removedPrefix)\(id.text)")
        try? FileManager.default.removeItem(at: removed)
        guard rename(url.path, removed.path) == 0 || errno == ENOENT else {
            throw DurableFile.failure("can't be removed", url)
        }
        try? FileManager.default.removeItem(at: removed)
    }
}

/// A version of an app that is installed.
struct InstalledApp: Sendable {
    /// What was known when it was installed.
    struct Record: Codable, Sendable {
        /// What the paths of devices are appended to.
        var store: String
        var number: Int64
        var bundleID: BundleID
        var name: String
        var version: ContentVersion
        var build: ContentVersion
        var format: AppPackageFormat
        /// The SHA-256 of the manifest.
        var manifest: ContentDigest
        /// The root that its store signs by.
        var root: String
        /// What is started, below the version's folder; nil for a Flatpak.
        var program: String?
        /// Pictures, below the version's folder.
        var icons: [String] = []
        /// The desktop entry that came with it, below the version's folder.
        var desktopEntry: String?
    }

    let folder: URL
    let record: Record

    var manifestFolder: ManifestFolder {
        ManifestFolder(url: folder.appendingPathComponent("manifest"))
    }
}
