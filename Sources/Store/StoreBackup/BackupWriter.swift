import Foundation
import StoreSecurity

/// Where a backup goes: a file, or a folder in which each backup has a folder of its own.
package enum BackupLocation: Sendable, Equatable {
    case archive(URL)
    case folder(URL)

    /// A name that ends in `.tar` is a file's.
    package init(_ url: URL) {
        self = url.pathExtension == "tar" ? .archive(url) : .folder(url)
    }
}

/// Writes a backup: beside its place, which it gets as a whole or not at all.
package final class BackupWriter {
    private let place: BackupLocation
    private let staging: BackupStagingFolder
    private let archive: BackupArchiveWriter?
    /// The newest backup in the same folder, whose files need not be written again.
    private let earlier: BackupReader?
    private let earlierFiles: [String: BackupManifest.File]
    private var files: [BackupManifest.File] = []

    /// Bytes that an earlier backup has, too.
    package private(set) var sharedBytes: Int64 = 0

    /// - Throws: `BackupError` where something stands in the place.
    package init(_ place: BackupLocation) throws {
        self.place = place
        switch place {
        case .archive(let url):
            guard access(url.path, F_OK) != 0 else {
                throw BackupError("\(url.path) is there already; choose another name")
            }
            staging = try BackupStagingFolder(in: url.deletingLastPathComponent())
            archive = try BackupArchiveWriter(at: staging.url.appendingPathComponent("archive"))
            (earlier, earlierFiles) = (nil, [:])
        case .folder(let url):
            staging = try BackupStagingFolder(in: url)
            archive = nil
            earlier = try? BackupReader.newest(in: url)
            let files = (try? earlier?.manifest())?.files ?? []
            earlierFiles = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        }
    }

    /// A file for something that is made before it is added.
    package func scratch(_ name: String) -> URL {
        staging.url.appendingPathComponent("scratch-\(name)")
    }

    /// Adds a file that was made in `scratch`, which goes away with that.
    package func add(
        scratch url: URL, as path: String, report: (Int64) -> Void
    ) throws {
        guard let source = try BackupSource.file(url.path) else {
            throw BackupError.system(url.path)
        }
        _ = try add(source, as: path, report: report)
        unlink(url.path)
    }

    /// Adds bytes.
    ///
    /// - Returns: their SHA-256.
    /// - Throws: `BackupError`, also for a path that nobody could restore.
    package func add(
        _ source: BackupSource, as path: String, report: (Int64) -> Void = { _ in }
    ) throws -> String {
        guard BackupPath.isAllowed(path) else {
            throw BackupError(
                "\(path) can't be in a backup, where names have letters, digits, dots, hyphens and "
                    + "low lines; rename the file, or take it away")
        }
        let digest =
            try archive?.add(source, as: path, report: report)
            ?? BackupDisk.write(source, to: url(path), report: report)
        files.append(BackupManifest.File(path: path, size: source.size, sha256: digest))
        return digest
    }

    /// Adds a file that an earlier backup has as well: both have one file on disk from then on.
    ///
    /// - Returns: whether the earlier one has it, undamaged.
    package func share(
        _ path: String, sha256: String, report: (Int64) -> Void
    ) throws -> Bool {
        guard let earlier, let file = earlierFiles[path], file.sha256 == sha256,
            let url = earlier.url(of: path)
        else { return false }
        var read: Int64 = 0
        // A bit that has turned in the one is not to be in both.
        let found = try? BackupDisk.digest(of: url) {
            read += $0
            report($0)
        }
        let target = self.url(path)
        try BackupDisk.makeFolder(target.deletingLastPathComponent())
        guard found == sha256, link(url.path, target.path) == 0 else {
            report(-read)
            return false
        }
        files.append(file)
        sharedBytes += file.size
        return true
    }

    /// Writes the manifest, brings all to disk, and gives the backup its name.
    ///
    /// - Parameter manifest: is made of the files.
    /// - Returns: where the backup is.
    package func finish(_ manifest: ([BackupManifest.File]) -> BackupManifest) throws -> URL {
        let manifest = manifest(files)
        let json = try manifest.json()
        switch place {
        case .archive(let url):
            _ = try archive?.add(
                BackupSource(json), as: BackupManifest.fileName, report: { _ in })
            try archive?.finish()
            try BackupDisk.synchronize(staging.url)
            try BackupDisk.rename(staging.url.appendingPathComponent("archive"), to: url)
            return url
        case .folder(let folder):
            _ = try BackupDisk.write(BackupSource(json), to: url(BackupManifest.fileName))
            try BackupDisk.synchronize(staging.url)
            // Two of one second are numbered.
            let name = BackupName.text(of: manifest.date)
            let names = [name] + (2...9).map { "\(name)-\($0)" }
            let targets = names.map(folder.appendingPathComponent)
            let target = targets.first { access($0.path, F_OK) != 0 } ?? targets[0]
            try BackupDisk.rename(url(""), to: target)
            return target
        }
    }

    private func url(_ path: String) -> URL {
        let root = staging.url.appendingPathComponent("backup")
        return path.isEmpty ? root : root.appendingPathComponent(path)
    }
}

/// What the folder of one backup is called: when it was made, so that names sort.
enum BackupName {
    static func text(of date: Date) -> String {
        "backup-"
            + date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }

    static func isOne(_ name: String) -> Bool { name.utf8.starts(with: "backup-".utf8) }
}
