import StoreCore

extension StoreDiagnostics {
    /// So many of one kind are named.
    private static let named = 5

    /// - Returns: whether the rows can be read.
    func checkDatabase(
        _ inspection: DatabaseInspection, _ report: inout DiagnosticsReport
    ) -> Bool {
        let place = paths.database.description
        do {
            let schema = try inspection.schema()
            let newest = DatabaseInspection.newestSchema
            if schema > 0, schema < newest {
                report.add(
                    .warning, "schema", "it is \(schema), and this program's is \(newest)",
                    at: place, "make a backup with the program before, and start the store")
                return false
            }
            try inspection.requireCurrent()
            report.passed("schema", "\(schema)")
        } catch {
            report.add(
                .broken, "schema", "\(error)", at: place,
                "start the program of the right version with the right --database")
            return false
        }
        do {
            let damage = try inspection.damage(limit: 10)
            for sentence in damage {
                report.add(
                    .broken, "integrity", sentence, at: place,
                    "stop the store, keep a copy of the file, and restore the last backup")
            }
            for sentence in try inspection.idleRules() {
                report.add(
                    .broken, "schema", sentence, at: place,
                    "turn it on (ALTER TABLE … ENABLE TRIGGER) or have it checked (ALTER TABLE … "
                        + "VALIDATE CONSTRAINT), which tells of rows that break it")
            }
            for table in try inspection.repeatedNumbers() {
                report.add(
                    .broken, "numbers", "the next row of \(table) gets a number that was given",
                    at: place, "raise the table's counter above its highest number")
            }
            report.passed("integrity", place)
        } catch {
            report.add(
                .broken, "integrity", "\(error)", at: place,
                "stop the store, keep a copy of the database, and restore the last backup")
            return false
        }
        checkParts(inspection, &report)
        checkSettings(inspection, &report)
        return true
    }

    /// Looks for settings of the server by which what was committed may be lost.
    private func checkSettings(_ inspection: DatabaseInspection, _ report: inout DiagnosticsReport)
    {
        do {
            for setting in try inspection.riskySettings() {
                report.add(
                    setting.losesSales ? .broken : .warning, "durability",
                    "\(setting.name) is off"
                        + (setting.losesSales
                            ? ": the database can be lost with the machine's power"
                            : ", and the store turns it on for itself"),
                    at: paths.database.description,
                    setting.losesSales
                        ? "set \(setting.name) = on in postgresql.conf, and restart the server"
                        : "ALTER ROLE … (or DATABASE …) RESET \(setting.name), so that other programs "
                            + "on it lose nothing either")
            }
            report.passed("durability", paths.database.description)
        } catch {
            report.add(
                .warning, "durability", "how the server writes can't be told: \(error)",
                at: paths.database.description, "see that fsync and synchronous_commit are on")
        }
    }

    /// Tells of rows that the store can't deal with.
    func checkSetAside(_ inspection: DatabaseInspection, _ report: inout DiagnosticsReport) {
        do {
            let rows = try inspection.setAsideRows()
            for row in rows.prefix(Self.named) {
                report.add(
                    .broken, "set aside", "the store can't deal with it: \(row.reason)",
                    at: "\(row.what) \(row.number)",
                    "mend the row, then UPDATE it with set_aside = NULL; a notification is sent by "
                        + "openstore notification resend, a refund is decided in Connect")
            }
            if rows.count > Self.named {
                report.add(
                    .broken, "set aside", "the store can't deal with \(rows.count) rows in all",
                    at: paths.database.description, "mend the first ones, and look again")
            }
            report.passed("set aside", "\(rows.count) rows")
        } catch {
            report.add(
                .broken, "set aside", "it can't be read: \(error)",
                at: paths.database.description, "restore the last backup")
        }
    }

    /// Looks for tables, indexes and rules that somebody has taken away.
    private func checkParts(_ inspection: DatabaseInspection, _ report: inout DiagnosticsReport) {
        do {
            for part in try inspection.missingParts() {
                report.add(
                    .broken, "schema", "\(part) is missing", at: paths.database.description,
                    "what the rows were kept by is gone: restore the last backup, or make it again "
                        + "as a new store has it")
            }
        } catch {
            report.add(
                .warning, "schema", "whether all of it is there can't be told: \(error)",
                at: paths.database.description,
                "let the store's role make schemas in the database (GRANT CREATE ON DATABASE): the "
                    + "one that is there is compared with one that is made and taken back")
        }
    }

    /// Goes through what is true of every store.
    func checkRules(_ inspection: DatabaseInspection, _ report: inout DiagnosticsReport) {
        do {
            try inspection.snapshot {
                for rule in StoreInvariant.all {
                    let rows = try inspection.violations(of: rule)
                    guard !rows.isEmpty else { continue }
                    let some = rows.prefix(Self.named).map { "\($0)" }.joined(separator: ", ")
                    report.add(
                        .broken, rule.name, "\(rows.count) \(rule.problem)",
                        at: rows.count > Self.named ? "\(some), …" : some, rule.advice)
                }
            }
            report.passed("ledger", "\(StoreInvariant.all.count) rules")
        } catch {
            report.add(
                .broken, "ledger", "it can't be read: \(error)",
                at: paths.database.description, "restore the last backup")
        }
    }
}
