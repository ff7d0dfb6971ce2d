import CStoreLinux
import Foundation
import StoreCore
import StoreModel

/// The exports on disk:
///
///     20160120/itunes20160120.tbz …        a full export, by its Wednesday
///     20160120/incremental/20160121/…      what changed until that day
///     current → 20160120                   for people, and for other web servers
///
/// A folder is renamed to its name when it is whole. `current` is never followed here.
package struct FeedFolder: Sendable {
    static let incremental = "incremental"
    /// Beside the archives: what they tell of. Served to nobody.
    static let reportName = ".export.json"
    private static let partial = ".partial-"

    package let root: URL

    package init(root: URL) {
        // Processes of one shop may share it by a link; inside of it none is followed.
        self.root = root.resolvingSymlinksInPath()
    }

    func url(of week: CalendarDay) -> URL { root.appendingPathComponent(week.digits) }

    func url(of day: CalendarDay, in week: CalendarDay) -> URL {
        url(of: week).appendingPathComponent(Self.incremental).appendingPathComponent(day.digits)
    }

    // MARK: What there is

    /// Full exports, the oldest first.
    package func weeks() -> [CalendarDay] { exports(in: root) }

    /// Incremental exports of a week, the oldest first.
    package func days(in week: CalendarDay) -> [CalendarDay] {
        exports(in: url(of: week).appendingPathComponent(Self.incremental))
    }

    /// The newest export of all: a full one, or an incremental one to the newest full one.
    package func newest() -> FeedReport? {
        guard let week = weeks().last else { return nil }
        return days(in: week).last.flatMap { report(in: url(of: $0, in: week)) }
            ?? report(in: url(of: week))
    }

    /// The export that one of a day adds to: the newest one that it doesn't take the place of.
    func base(ofIncrementalOn day: CalendarDay) -> FeedBase? {
        guard let week = weeks().last else { return nil }
        let before = days(in: week).last { $0 < day }
        return before.flatMap { report(in: url(of: $0, in: week)) }?.base
            ?? report(in: url(of: week))?.base
    }

    private func exports(in folder: URL) -> [CalendarDay] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name in
            CalendarDay(digits: name).flatMap { day in
                isWhole(folder.appendingPathComponent(name)) ? day : nil
            }
        }.sorted()
    }

    private func isWhole(_ folder: URL) -> Bool {
        var status = stat()
        guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return false
        }
        return access(folder.appendingPathComponent(Self.reportName).path, R_OK) == 0
    }

    func report(in folder: URL) -> FeedReport? {
        guard
            let data = try? Data(contentsOf: folder.appendingPathComponent(Self.reportName))
        else { return nil }
        return try? JSONDecoder().decode(FeedReport.self, from: data)
    }

    // MARK: Making exports

    /// Lets nobody else make exports here until the lock is gone.
    ///
    /// - Throws: `FeedError` with `busy` where somebody does.
    func lock() throws -> FeedLock {
        do {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        } catch {
            throw FeedError(.disk, "\(root.path): \(error.localizedDescription)")
        }
        return try FeedLock(root.appendingPathComponent(".lock"))
    }

    /// A folder for an export that is being made; takes away what was broken off. Only for who
    /// has the lock.
    func makePartial() throws -> URL {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        where name.hasPrefix(scalars: Self.partial) {
            try? FileManager.default.removeItem(at: root.appendingPathComponent(name))
        }
        let folder = root.appendingPathComponent(Self.partial + "export")
        for part in ["archives", "scratch"] {
            do {
                try FileManager.default.createDirectory(
                    at: folder.appendingPathComponent(part), withIntermediateDirectories: true)
            } catch {
                throw FeedError(.disk, "\(folder.path): \(error.localizedDescription)")
            }
        }
        return folder
    }

    /// Puts a finished export in its place, in one step; a full one takes the place of the one
    /// of its week, with all that was added to that.
    ///
    /// - Parameter archives: the folder with the archives.
    func publish(_ archives: URL, _ report: FeedReport, of day: CalendarDay) throws {
        let data = try JSONEncoder().encode(report)
        try FeedDisk.write(data, to: archives.appendingPathComponent(Self.reportName))
        chmod(archives.path, 0o755)
        try FeedDisk.sync(archives)
        let week = report.mode == .full ? day.wednesday : weeks().last ?? day.wednesday
        var place = url(of: week)
        if report.mode == .incremental {
            let parent = place.appendingPathComponent(Self.incremental)
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try FeedDisk.sync(place)
            place = parent.appendingPathComponent(day.digits)
        }
        if access(place.path, F_OK) == 0 {
            // What was there is in the folder for work now, and goes with it.
            guard
                renameat2(AT_FDCWD, archives.path, AT_FDCWD, place.path, cstore_exchange) == 0
            else { throw FeedError.system(place.path) }
            try FeedDisk.sync(place.deletingLastPathComponent())
        } else {
            try FeedDisk.move(archives, to: place)
        }
        let newest = report.mode == .full ? weeks().last : days(in: week).last
        try FeedDisk.link(
            "current", to: (newest ?? day).digits, in: place.deletingLastPathComponent())
    }

    /// Takes full exports away, with all that was added to them, but for the newest ones.
    func keepNewest(_ count: Int) throws {
        for week in weeks().dropLast(count) {
            // Renamed first: a folder that is there is whole.
            let gone = root.appendingPathComponent(Self.partial + week.digits)
            try FeedDisk.move(url(of: week), to: gone)
            try? FileManager.default.removeItem(at: gone)
        }
    }
}

/// Held by the one process that makes exports in a folder; the kernel lets it go with the
/// process.
final class FeedLock: Sendable {
    private let descriptor: Int32

    init(_ url: URL) throws {
        descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FeedError.system(url.path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // Its end closes the file, also where the beginning fails; a second time would close
            // what somebody else has opened meanwhile.
            guard errno == EWOULDBLOCK else { throw FeedError.system(url.path) }
            throw FeedError(
                .busy,
                "another process makes an export in \(url.deletingLastPathComponent().path); "
                    + "wait until it is done")
        }
    }

    deinit {
        // A program that was just started has the file too, until it becomes another one.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
