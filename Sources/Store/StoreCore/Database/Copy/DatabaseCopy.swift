import Foundation
import StoreDatabase

/// Moves a shop from one database to another while it runs, with a pause of seconds.
///
/// All is brought over from a snapshot of the source first, and read again in the target. Then
/// writers are locked out of the source; what has changed meanwhile is found by comparing each
/// row's hash, brought over, and compared again; the target's one transaction is committed, and
/// the source is marked as left. Before the commit the target is empty and the source as it was,
/// whatever happens; between commit and mark both have everything.
package struct DatabaseCopy {
    /// How far a copy has come.
    package struct Progress: Sendable {
        package enum Phase: String, Sendable {
            case copying, verifying, pausing
        }
        package var phase: Phase
        package var table: String
        /// Rows brought over so far.
        package var rows: Int
        package var allRows: Int
        /// Bytes of values, about.
        package var bytes: Int
        package var tables: Int
    }

    /// What was copied.
    package struct Report: Sendable {
        package struct Table: Sendable {
            package let name: String
            package let rows: Int
            /// Of all values, the same in both databases.
            package let checksum: String
        }
        package let tables: [Table]
        package let bytes: Int
        /// Rows that changed while the shop ran.
        package let changedRows: Int
        package let pause: Duration
    }

    private static let batch = 2_000

    private let source: any CopySource
    private let target: any CopyTarget
    private let targetName: String
    private let report: (Progress) -> Void
    private var progress = Progress(
        phase: .copying, table: "", rows: 0, allRows: 0, bytes: 0, tables: 0)
    private var sums: [String: CopySum] = [:]
    private var lastNumbers: [String: Int64] = [:]
    /// Hashes of rows by hashes of their keys, of tables in which rows change: a move brings over what has
    /// changed. They take 48 bytes of memory for each row.
    private var known: [String: [UInt64: UInt64]] = [:]
    private var isMove = true

    init(
        _ source: any CopySource, _ target: any CopyTarget, targetName: String,
        report: @escaping (Progress) -> Void
    ) {
        (self.source, self.target) = (source, target)
        (self.targetName, self.report) = (targetName, report)
    }

    /// Opens both databases, and brings their schemas up to date.
    ///
    /// - Parameters:
    ///   - isMove: whether a shop has to be in the source, before anything is made of the target.
    ///   - report: is told how far the copy has come.
    /// - Throws: `SQLError`.
    package init(
        from source: DatabaseAddress, to target: DatabaseAddress, isMove: Bool = true,
        report: @escaping (Progress) -> Void
    ) throws {
        if isMove { try DatabaseInspection(source).requireShop() }
        let source: any CopySource =
            switch source {
            case .sqlite(let path): try SQLiteCopy(existing: path)
            case .postgres(let address): try PostgresCopy(address)
            }
        let writer: any CopyTarget =
            switch target {
            case .sqlite(let path): try SQLiteCopy(path: path)
            case .postgres(let address): try PostgresCopy(address)
            }
        self.init(source, writer, targetName: target.description, report: report)
        self.isMove = isMove
    }

    /// - Parameter now: what the clock says.
    /// - Throws: `SQLError`; the shop goes on with the source then, unless the error says otherwise.
    package mutating func run(now: () -> Date) throws -> Report {
        let tables = source.tables
        do {
            try target.begin(tables)
            try source.beginSnapshot()
            defer { source.endSnapshot() }
            try bringSnapshot(of: tables)
        } catch {
            target.rollBack()
            throw error
        }
        progress.phase = .pausing
        let clock = ContinuousClock()
        let start = clock.now
        var changed = 0
        do {
            try source.beginPause()
            for table in tables { changed += try bringUpToDate(table) }
            let counters = try source.counters()
            try source.prepareMove(to: targetName, at: now())
            try target.commit(counters)
        } catch {
            source.endPause()
            target.rollBack()
            throw error
        }
        do {
            try source.commitMove()
        } catch {
            throw SQLError(
                code: .uncertain,
                "all of the shop is in \(targetName), but whether the old database knows is "
                    + "uncertain: stop all programs that use the old one, and start it again. "
                    + "Where it starts, empty the new one and copy again; where it names the new "
                    + "one, go on there (\(error))")
        }
        let pause = clock.now - start
        try finishTarget()
        return summary(of: tables, changed: changed, pause: pause)
    }

    /// Copies what the source's snapshot has, and compares what has arrived.
    private mutating func bringSnapshot(of tables: [CopyTable]) throws {
        for table in tables { progress.allRows += try source.count(table) }
        for table in tables { try copy(table) }
        progress.phase = .verifying
        for table in tables { try verify(table, after: nil, sums[table.name] ?? CopySum()) }
    }

    /// Copies a snapshot of the source in one transaction of the target. The store can go on using the
    /// source meanwhile: the copy only reads it.
    ///
    /// - Throws: `SQLError`; the target is as it was then, unless its code is `unfinished`.
    package mutating func copySnapshot() throws -> Report {
        let tables = source.tables
        do {
            try target.begin(tables)
            try source.beginSnapshot()
            defer { source.endSnapshot() }
            try bringSnapshot(of: tables)
            try target.commit(source.counters())
        } catch {
            target.rollBack()
            throw error
        }
        try finishTarget()
        return summary(of: tables, changed: 0, pause: .zero)
    }

    /// Does what can be done when all is there for good.
    private func finishTarget() throws {
        do {
            try target.finish()
        } catch {
            throw SQLError(
                code: .unfinished,
                "all of the shop is in \(targetName), which can be used from now on; but what was to "
                    + "follow was not done: run ANALYZE there, and openstore doctor, which names the "
                    + "rules that ALTER TABLE … VALIDATE CONSTRAINT has to check (\(error))")
        }
    }

    private func summary(of tables: [CopyTable], changed: Int, pause: Duration) -> Report {
        Report(
            tables: tables.map { table in
                let sum = sums[table.name] ?? CopySum()
                return Report.Table(
                    name: table.name, rows: sum.rows, checksum: String(sum.sum, radix: 16))
            }, bytes: progress.bytes, changedRows: changed, pause: pause)
    }

    // MARK: While the shop runs

    private mutating func copy(_ table: CopyTable) throws {
        progress.table = table.name
        var sum = CopySum()
        var hashes: [UInt64: UInt64] = [:]
        var last: Int64 = 0
        var bytes = 0
        var rows: [CopyRow] = []
        var count = 0
        let (target, report, start) = (target, report, progress)
        func told() -> Progress {
            var progress = start
            progress.rows += count
            progress.bytes += bytes
            return progress
        }
        try source.read(table, after: nil) { row in
            let hash = CopySum.hash(row)
            sum.add(hash)
            if table.isLog {
                if case .integer(let number) = row[table.key[0]] { last = max(last, number) }
            } else if isMove {
                hashes[CopySum.hash(table.key.map { row[$0] })] = hash
            }
            bytes += row.reduce(0) { $0 + $1.size }
            count += 1
            rows.append(row)
            guard rows.count == Self.batch else { return }
            try target.write(table, rows)
            rows.removeAll(keepingCapacity: true)
            report(told())
        }
        if !rows.isEmpty { try target.write(table, rows) }
        sums[table.name] = sum
        lastNumbers[table.name] = last
        if !table.isLog, isMove { known[table.name] = hashes }
        progress = told()
        progress.tables += 1
        report(progress)
    }

    private func verify(_ table: CopyTable, after: Int64?, _ wanted: CopySum) throws {
        var told = progress
        told.table = table.name
        report(told)
        var found = CopySum()
        try target.read(table, after: after) { found.add(CopySum.hash($0)) }
        guard found == wanted else {
            throw SQLError(
                code: .corrupt,
                "the copy of \(table.name) is not what was copied: \(found.rows) rows instead of "
                    + "\(wanted.rows), or others")
        }
    }

    // MARK: In the pause

    /// Brings over what has changed in a table.
    ///
    /// - Returns: how many rows.
    private mutating func bringUpToDate(_ table: CopyTable) throws -> Int {
        progress.table = table.name
        report(progress)
        return table.isLog ? try append(table) : try compare(table)
    }

    private mutating func append(_ table: CopyTable) throws -> Int {
        var rows: [CopyRow] = []
        var added = CopySum()
        let after = lastNumbers[table.name] ?? 0
        try source.read(table, after: after) { row in
            added.add(CopySum.hash(row))
            rows.append(row)
        }
        guard !rows.isEmpty else { return 0 }
        try target.write(table, rows)
        try verify(table, after: after, added)
        sums[table.name]?.rows += added.rows
        sums[table.name]?.sum &+= added.sum
        progress.rows += rows.count
        return rows.count
    }

    private mutating func compare(_ table: CopyTable) throws -> Int {
        var before = known.removeValue(forKey: table.name) ?? [:]
        var sum = CopySum()
        var changed: [CopyRow] = []
        var outdated: Set<UInt64> = []
        try source.read(table, after: nil) { row in
            let key = CopySum.hash(table.key.map { row[$0] })
            let hash = CopySum.hash(row)
            sum.add(hash)
            guard let old = before.removeValue(forKey: key) else { return changed.append(row) }
            guard old != hash else { return }
            changed.append(row)
            outdated.insert(key)
        }
        // What was not met again is gone.
        outdated.formUnion(before.keys)
        guard !changed.isEmpty || !outdated.isEmpty else { return 0 }
        if !outdated.isEmpty {
            var keys: [CopyRow] = []
            try target.read(table, after: nil) { row in
                let key = table.key.map { row[$0] }
                if outdated.contains(CopySum.hash(key)) { keys.append(key) }
            }
            try target.delete(table, keys)
        }
        if !changed.isEmpty { try target.write(table, changed) }
        try verify(table, after: nil, sum)
        sums[table.name] = sum
        progress.rows += changed.count
        return changed.count + before.count
    }
}

extension SQLValue {
    /// Bytes, about.
    fileprivate var size: Int {
        switch self {
        case .noInteger, .noText: 1
        case .integer: 8
        case .text(let text): text.utf8.count
        case .blob(let data): data.count
        }
    }
}
