import Foundation
import StoreModel

/// Looks through the folder that a package is to be made of, by the rules of the store.
struct FolderSurvey {
    let folder: URL
    let limits: PackageLimits
    /// Stands for the folder's own `ContentInfo.plist`.
    var information: Data?

    /// The folder's information, and entries in an order that is always the same.
    ///
    /// - Throws: `PackageError` with everything that breaks a rule.
    func run() throws -> (ContentInfo, [PackageEntry]) {
        let rules = PackageRules(limits: limits)
        var entries: [PackageEntry] = []
        var info: ContentInfo?
        let paths = try paths()
        for path in paths where !rules.isOver {
            let header = try header(of: path)
            guard let entry = try rules.admit(header) else { continue }
            entries.append(entry)
            guard entry.kind == .file else { continue }
            let isInformation = path == ContentInfo.fileName
            let start = try start(
                of: entry, count: isInformation ? ContentInfo.sizeLimit : ExecutableMark.length)
            rules.inspect(start: start.prefix(ExecutableMark.length), of: entry.path)
            guard isInformation else { continue }
            do { info = try ContentInfo(propertyList: start) } catch let error as PackageError {
                rules.report(error.problems)
            }
        }
        if !paths.contains(ContentInfo.fileName) {
            rules.report(
                ContentInfo.fileName, .information,
                "it is missing from \(folder.path); openstore content init makes one")
        }
        if !paths.contains("Contents") {
            rules.report("Contents", .paths, "the folder is missing from \(folder.path)")
        }
        if rules.problems.isEmpty { rules.reportEmptiness(of: entries) }
        guard rules.problems.isEmpty, let info else { throw PackageError(rules.problems) }
        return (info, entries)
    }

    /// `ContentInfo.plist`, `Contents` and all below it, sorted, so that the same folder
    /// always gives the same order.
    private func paths() throws -> [String] {
        let manager = FileManager.default
        var isDirectory: ObjCBool = false
        guard manager.fileExists(atPath: folder.path, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw PackageError(.readable, "there is no folder \(folder.path)") }
        let top = try manager.contentsOfDirectory(atPath: folder.path)
            .filter { $0 == ContentInfo.fileName || $0 == "Contents" }
        guard top.contains("Contents") else { return top }
        let contents = folder.appendingPathComponent("Contents").path
        var status = stat()
        // Through a link, another folder would be packed.
        guard lstat(contents, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return top.sorted()
        }
        var below: [String] = []
        // An enumerator does not follow links.
        for case let path as String in manager.enumerator(atPath: contents) ?? .init() {
            below.append(path)
            guard below.count <= limits.entries else {
                throw PackageError(
                    .limits,
                    "the folder has more than \(limits.entries) entries; "
                        + "put many small files into fewer larger ones")
            }
        }
        return top.sorted() + below.sorted().map { "Contents/\($0)" }
    }

    private func header(of path: String) throws -> ArchiveHeader {
        let url = folder.appendingPathComponent(path)
        var status = stat()
        guard lstat(url.path, &status) == 0 else {
            throw PackageError(
                .readable, "it can't be read: \(String(cString: strerror(errno)))", path: path)
        }
        var size = Int64(status.st_size)
        let kind: ArchiveHeader.Kind
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            kind = .file
            if let information, path == ContentInfo.fileName { size = Int64(information.count) }
        case S_IFDIR: (kind, size) = (.directory, 0)
        case S_IFLNK:
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
            kind = .link(target: target ?? "")
        default: kind = .special
        }
        return ArchiveHeader(
            path: path, kind: kind, mode: UInt32(status.st_mode & 0o7777), size: size)
    }

    private func start(of entry: PackageEntry, count: Int) throws -> Data {
        if let information, entry.path.text == ContentInfo.fileName {
            return information.prefix(count)
        }
        let handle = try FileHandle(
            forReadingFrom: folder.appendingPathComponent(entry.path.text))
        defer { try? handle.close() }
        return try handle.read(upToCount: count) ?? Data()
    }
}
