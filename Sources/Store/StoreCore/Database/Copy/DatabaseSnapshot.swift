import Foundation
import StoreDatabase

/// A database as one moment has it, in a file of SQLite's, whichever database it is of.
package enum DatabaseSnapshot {
    /// Copies a snapshot of the shop, which keeps running.
    ///
    /// - Parameters:
    ///   - path: of the file, which must not be there.
    ///   - report: is told how much is done, and of how much: pages, or rows.
    /// - Throws: `SQLError`; what there is of the file is worth nothing then.
    package static func take(
        of address: DatabaseAddress, into path: String,
        report: @escaping (_ done: Int64, _ all: Int64) -> Void
    ) throws {
        try DatabaseInspection(address).requireCurrent()
        switch address {
        case .sqlite(let source):
            // Nobody else reads it.
            let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                throw SQLError(code: .disk, "\(path): \(String(cString: strerror(errno)))")
            }
            close(file)
            try SQLiteConnection(path: source).copySnapshot(to: path, report: report)
        case .postgres:
            try copy(from: address, to: .sqlite(path: path), report)
        }
    }

    /// Brings a snapshot into a database that has no shop in it, and its schema up to date.
    ///
    /// - Throws: `SQLError`; the database is as it was then, unless its code is `unfinished`.
    package static func bring(
        from path: String, into address: DatabaseAddress,
        report: @escaping (_ done: Int64, _ all: Int64) -> Void
    ) throws {
        try copy(from: .sqlite(path: path), to: address, report)
    }

    /// - Throws: `SQLError` where a shop is in the database already, or can't be.
    package static func requireEmpty(_ address: DatabaseAddress) throws {
        switch address {
        case .sqlite(let path):
            // What an earlier database has left beside its file would become a part of the new one.
            for file in ["", "-wal", "-shm", "-journal"].map({ path + $0 })
            where access(file, F_OK) == 0 {
                throw SQLError(code: .other, "\(file) is there already")
            }
        case .postgres(let server):
            let inspection = try DatabaseInspection(.postgres(server))
            guard try inspection.schema() > 0, try inspection.hasShop() else { return }
            throw SQLError(code: .other, "\(address) has a shop in it already")
        }
    }

    private static func copy(
        from source: DatabaseAddress, to target: DatabaseAddress,
        _ report: @escaping (_ done: Int64, _ all: Int64) -> Void
    ) throws {
        var copy = try DatabaseCopy(from: source, to: target, isMove: false) { progress in
            report(Int64(progress.rows), Int64(progress.allRows))
        }
        _ = try copy.copySnapshot()
    }
}
