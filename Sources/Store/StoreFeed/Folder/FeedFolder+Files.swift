import Foundation
import StoreCore
import StoreModel

extension FeedFolder {
    /// What lies at a path below the feed's beginning, for example `["current", "incremental"]`; nil
    /// for nothing. A path is text from outside.
    package func entry(at path: [String]) throws -> FeedEntry? {
        guard let path = FeedPath(path) else { return nil }
        switch path {
        case .root:
            let weeks = weeks()
            return .folder(
                folders(weeks.last.map { [("current", $0)] } ?? [])
                    + folders(weeks.map { ($0.digits, $0) }))
        case .week(let week):
            guard let week = self.week(week) else { return nil }
            let parts = FeedListing(
                name: Self.incremental + "/", modified: modified(url(of: week)), size: nil)
            return .folder(files(in: url(of: week)) + (days(in: week).isEmpty ? [] : [parts]))
        case .incrementals(let week):
            guard let week = self.week(week) else { return nil }
            let days = days(in: week)
            guard let last = days.last else { return nil }
            let names = [("current", last)] + days.map { ($0.digits, $0) }
            return .folder(
                names.map { name, day in
                    FeedListing(
                        name: name + "/", modified: modified(url(of: day, in: week)), size: nil)
                })
        case .day(let week, let day):
            guard let folder = folder(week, day) else { return nil }
            return .folder(files(in: folder))
        case .file(let week, let day, let file):
            guard let folder = folder(week, day) else { return nil }
            return try open(file.name, in: folder).map { .file($0) }
        }
    }

    private func folders(_ names: [(String, CalendarDay)]) -> [FeedListing] {
        names.map { name, week in
            FeedListing(name: name + "/", modified: modified(url(of: week)), size: nil)
        }
    }

    private func week(_ named: CalendarDay?) -> CalendarDay? {
        let weeks = weeks()
        guard let named else { return weeks.last }
        return weeks.contains(named) ? named : nil
    }

    /// The folder of a full export (no day), or of an incremental one; nil for none.
    private func folder(_ week: CalendarDay?, _ day: FeedPath.Day?) -> URL? {
        guard let week = self.week(week) else { return nil }
        let days = day == nil ? [] : days(in: week)
        switch day {
        case nil: return url(of: week)
        case .newest: return days.last.map { url(of: $0, in: week) }
        case .on(let day): return days.contains(day) ? url(of: day, in: week) : nil
        }
    }

    /// The archives and checksums of an export, by name.
    private func files(in folder: URL) -> [FeedListing] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            guard FeedPath.FeedFile(name) != nil else { return nil }
            var status = stat()
            guard lstat(folder.appendingPathComponent(name).path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return FeedListing(
                name: name, modified: Self.date(status), size: UInt64(status.st_size))
        }
    }

    private func open(_ name: String, in folder: URL) throws -> OpenFeedFile? {
        let path = folder.appendingPathComponent(name).path
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ELOOP { return nil }
            throw FeedError.system(path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        let (seconds, rest) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        return OpenFeedFile(
            name: name,
            content: OpenContent(descriptor: descriptor, length: UInt64(status.st_size)),
            modified: Self.date(status),
            tag: [Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size), seconds, rest]
                .map { String($0, radix: 16) }.joined(separator: "-"))
    }

    private func modified(_ folder: URL) -> Date {
        var status = stat()
        return lstat(folder.path, &status) == 0
            ? Self.date(status) : Date(timeIntervalSince1970: 0)
    }

    private static func date(_ status: stat) -> Date {
        Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    }
}
