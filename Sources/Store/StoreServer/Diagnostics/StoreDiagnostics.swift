import Foundation
import StoreCore
import StoreKernel

/// Looks whether a store is sound, while it runs or not; changes nothing.
package struct StoreDiagnostics: Sendable {
    /// How far it has come with the bytes of content.
    package typealias Progress = (_ done: Int64, _ all: Int64) -> Void

    let paths: StorePaths
    /// Whether the bytes of content are not read.
    let isQuick: Bool
    let now: Date
    /// Bytes that are free on the file system of a folder; nil where nobody knows.
    let freeBytes: @Sendable (URL) -> Int64?

    package init(
        _ paths: StorePaths, isQuick: Bool, now: Date,
        freeBytes: @escaping @Sendable (URL) -> Int64? = DiskSpace.free(at:)
    ) {
        (self.paths, self.isQuick, self.now) = (paths, isQuick, now)
        self.freeBytes = freeBytes
    }

    /// Makes all checks. What can't be looked at is found broken; nothing is thrown.
    package func run(report progress: Progress) -> DiagnosticsReport {
        var report = DiagnosticsReport()
        guard hasStore(&report) else { return report }
        checkFolder(&report)
        checkKeys(&report)
        checkSpace(&report)
        let inspection: DatabaseInspection
        do {
            inspection = try DatabaseInspection(paths.database)
        } catch {
            report.add(
                .broken, "database", "it can't be opened: \(error)",
                at: paths.database.description,
                "see that its server runs and the address is right, or restore a backup")
            return report
        }
        let isReadable = checkDatabase(inspection, &report)
        checkClock(inspection, isReadable: isReadable, &report)
        guard isReadable else { return report }
        checkRules(inspection, &report)
        checkSetAside(inspection, &report)
        checkContent(inspection, &report, progress)
        return report
    }

    private func hasStore(_ report: inout DiagnosticsReport) -> Bool {
        do {
            try RestoringFolder.requireNone(in: paths.directory)
        } catch {
            report.add(
                .broken, "folder", "a restore was broken off", at: paths.directory.path,
                "run openstore restore again")
            return false
        }
        guard paths.keys.has(StoreKeys.FileName.root) || paths.keys.has(KeyRole.signing.fileName)
        else {
            report.add(
                .broken, "folder", paths.lack ?? "there is no store in it",
                at: paths.directory.path,
                "run the command as the user of the store, name its folder with --data, or restore "
                    + "a backup")
            return false
        }
        return true
    }

    // MARK: Disk

    /// Bytes below which little goes on, and none.
    private static let (littleSpace, noSpace): (Int64, Int64) = (2_000_000_000, 100_000_000)

    private func checkSpace(_ report: inout DiagnosticsReport) {
        guard let free = freeBytes(paths.directory) else { return }
        report.passed("space", "\(free / 1_000_000) MB free")
        guard free < Self.littleSpace else { return }
        report.add(
            free < Self.noSpace ? .broken : .warning, "space",
            "\(free / 1_000_000) MB are free", at: paths.directory.path,
            "make room: sales need some bytes each, uploads twice the size of a package")
    }

    private func checkFolder(_ report: inout DiagnosticsReport) {
        let directory = paths.directory.path
        if access(directory, W_OK | X_OK) != 0 {
            report.add(
                .broken, "folder", "this user can't write into it", at: directory,
                "run the command as the user of the store, or give that one the folder")
        }
        var files: [String] = []
        if case .sqlite(let path) = paths.database { files = [path, path + "-wal"] }
        files.append(InterceptionFolder(in: paths.directory).keyFile.path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        files += names.filter { $0.hasPrefix(scalars: APIKeyID.filePrefix) }
            .map { "\(directory)/\($0)" }
        for file in files {
            guard let mode = Self.mode(of: file), mode & 0o077 != 0 else { continue }
            report.add(
                .broken, "permissions", "others may read it", at: file,
                "chmod 600 \(file)")
        }
        checkOwners(of: names, &report)
        report.passed("folder", directory)
    }

    /// Looks for parts that a command run by another user has left.
    private func checkOwners(of names: [String], _ report: inout DiagnosticsReport) {
        let directory = paths.directory.path
        let files =
            names.map { "\(directory)/\($0)" }
            + ["assets", InterceptionFolder.name, "keys"].flatMap { folder in
                let inside =
                    try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(folder)")
                return (inside ?? []).map { "\(directory)/\(folder)/\($0)" }
            }
        let owner = Self.status(of: directory)?.st_uid
        for path in files.sorted() {
            // What a link leads to belongs to whoever shares it.
            guard let status = Self.status(of: path), status.st_mode & S_IFMT != S_IFLNK,
                status.st_uid != owner
            else { continue }
            report.add(
                .broken, "permissions", "it does not belong to the user of the store", at: path,
                "chown -R it to the owner of \(directory), and run commands as that user")
        }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// The permissions of a file or folder; nil where there is none.
    static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    // MARK: Clock

    /// - Parameter known: what a running store has believed of the clock last.
    private func checkJump(since known: Date?, _ report: inout DiagnosticsReport) {
        guard let known,
            case .ahead = ClockRules.verdict(on: now, known: known, server: nil)
        else { return }
        let hours = Int((ClockRules.patience(for: now, known: known) / 3600).rounded(.up))
        report.add(
            .warning, "clock",
            "it shows \(now.formatted(.iso8601)), and a running store has last believed "
                + "\(known.formatted(.iso8601)): nothing is renewed, decided or deleted by it",
            at: paths.database.description,
            "set the clock, with NTP; where it is right, say so: openstore doctor --clock-is-right; "
                + "else a running store goes by a clock that runs evenly after \(hours) hours")
    }

    /// How far clocks may be apart, seconds.
    private static let drift: TimeInterval = 60

    private func checkClock(
        _ inspection: DatabaseInspection, isReadable: Bool, _ report: inout DiagnosticsReport
    ) {
        func isAhead(_ date: Date?, _ what: String, _ place: String) {
            guard let date, date.timeIntervalSince(now) > Self.drift else { return }
            report.add(
                .warning, "clock",
                "\(what) is from \(date.formatted(.iso8601)), and the clock shows "
                    + now.formatted(.iso8601), at: place,
                "set the clock, with NTP: tokens, periods and certificates depend on it")
        }
        let keys = try? FileManager.default.attributesOfItem(atPath: paths.keys.url.path)
        isAhead(keys?[.modificationDate] as? Date, "the folder of keys", paths.keys.url.path)
        if isReadable {
            isAhead(
                try? inspection.lastChange(), "the last entry", paths.database.description)
            checkJump(since: try? inspection.believedTime(), &report)
        }
        if let server = try? inspection.serverTime(),
            abs(server.timeIntervalSince(now)) > Self.drift
        {
            report.add(
                .warning, "clock",
                "the database's server has \(server.formatted(.iso8601)), and this machine "
                    + now.formatted(.iso8601), at: paths.database.description,
                "set both clocks with NTP")
        }
        report.passed("clock", now.formatted(.iso8601))
    }
}
