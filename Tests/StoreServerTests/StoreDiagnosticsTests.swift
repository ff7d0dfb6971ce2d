import Foundation
import StoreBackup
import StoreCore
import StoreKernel
import StoreModel
@testable import StoreServer
import StoreTestSupport
import Testing

/// What a look at a store finds, and that it finds nothing in a sound one.
@Suite struct StoreDiagnosticsTests {
    private let fixture: BackupFixture
    private var directory: URL { fixture.opened.store.directory }

    init() async throws {
        fixture = try await BackupFixture()
    }

    private func look(
        isQuick: Bool = false, at date: Date? = nil, free: Int64? = 50_000_000_000
    ) -> DiagnosticsReport {
        StoreDiagnostics(
            fixture.paths, isQuick: isQuick, now: date ?? fixture.opened.clock.now(),
            freeBytes: { _ in free }
        ).run { _, _ in }
    }

    /// What is worse than a note. Files are of today, whatever the clock of the test shows.
    private func found(_ report: DiagnosticsReport) -> [DiagnosticsReport.Finding] {
        report.findings.filter { $0.severity != .note && $0.place != keys.path }
    }

    private var keys: URL { directory.appendingPathComponent("keys") }

    @Test(arguments: [true, false])
    func `a sound store is found sound, and is not changed`(isQuick: Bool) throws {
        let before = try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
        let report = look(isQuick: isQuick)
        #expect(found(report) == [])
        #expect(!report.has(.broken))
        let names = report.checks.map(\.name)
        for name in ["keys", "space", "schema", "integrity", "ledger", "content", "uploads"] {
            #expect(names.contains(name))
        }
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted() == before)
    }

    @Test func `content that is missing, damaged or of another length is found`() async throws {
        let digests = try await fixture.digests()
        let files = digests.map { fixture.content($0, in: directory) }
        try #require(files.count >= 3)
        try FileManager.default.removeItem(at: files[0])
        var bytes = try Data(contentsOf: files[1])
        try #require(!bytes.isEmpty)
        bytes[0] ^= 1
        try bytes.write(to: files[1])
        try (Data(contentsOf: files[2]) + Data([0])).write(to: files[2])
        let problems = found(look()).filter { $0.check == "content" }
        #expect(Set(problems.map(\.place)) == Set(files.prefix(3).map(\.path)))
        #expect(problems.allSatisfy { $0.severity == .broken })
        // Without reading, bytes that have turned are not seen.
        let quick = found(look(isQuick: true)).filter { $0.check == "content" }
        #expect(Set(quick.map(\.place)) == [files[0].path, files[2].path])
    }

    @Test func `content that is somewhere else is one finding`() async throws {
        try FileManager.default.removeItem(at: directory.appendingPathComponent("content"))
        let problems = found(look()).filter { $0.check == "content" }
        #expect(problems.count == 1)
        #expect(problems.first?.what.hasPrefix("none of the") == true, "\(problems)")
        #expect(problems.first?.advice.contains("--content") == true)
    }

    @Test func `what another user has left is found`() throws {
        // Only root can give things away.
        try #require(getuid() == 0, "the tests run as root")
        let path = directory.appendingPathComponent("assets").path
        #expect(chown(path, 65_534, 65_534) == 0)
        let problems = found(look())
        #expect(problems.map(\.place) == [path])
        #expect(problems.first?.check == "permissions")
    }

    @Test func `files that nothing names are noted`() throws {
        let digest = String(repeating: "ab", count: 32)
        try fixture.folder.write("store/content/ab/\(digest)", "stray")
        let report = look()
        #expect(!report.has(.broken))
        #expect(report.findings.contains { $0.severity == .note && $0.place == digest })
    }

    @Test func `uploads whose bytes are gone or others are found`() throws {
        let file = directory.appendingPathComponent("uploads/\(fixture.upload.text)/content.pkg")
        try Data(repeating: 1, count: BackupFixture.part.count).write(to: file)
        #expect(found(look()).map(\.check) == ["uploads"])
        #expect(found(look(isQuick: true)) == [])
        try FileManager.default.removeItem(at: file.deletingLastPathComponent())
        #expect(found(look(isQuick: true)).map(\.place) == [fixture.upload.text])
    }

    @Test(arguments: [
        ("keys", 0o750, "permissions"), ("keys/root-key.pem", 0o640, "permissions"),
        ("store.sqlite", 0o644, "permissions"), ("keys/issued", 0o701, "permissions"),
        ("intercept/server.pem", 0o644, "permissions"),
    ])
    func `what others may read is found`(_ name: String, _ mode: Int, _ check: String) throws {
        _ = try InterceptionFolder(in: directory)
            .identity(for: InterceptedHosts.names(of: []), at: fixture.opened.clock.now())
        let path = directory.appendingPathComponent(name).path
        #expect(chmod(path, mode_t(mode)) == 0)
        let report = look()
        let finding = try #require(report.findings.first { $0.check == check })
        #expect(finding.severity == .broken && finding.place == path)
        #expect(finding.advice.hasPrefix("chmod "))
    }

    @Test(arguments: ["root.pem", "signing-key.pem", "intermediate-key.pem", "seal.secret"])
    func `keys that are missing or damaged are found, and not made anew`(name: String) throws {
        let file = keys.appendingPathComponent(name)
        try Data("nonsense".utf8).write(to: file)
        #expect(look().findings.contains { $0.check == "keys" && $0.severity == .broken })
        try FileManager.default.removeItem(at: file)
        #expect(look().findings.contains { $0.place == file.path && $0.severity == .broken })
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a root key that is kept elsewhere is noted`() throws {
        let file = keys.appendingPathComponent("root-key.pem")
        try FileManager.default.removeItem(at: file)
        let report = look()
        #expect(!report.has(.broken))
        #expect(report.findings.contains { $0.place == file.path })
    }

    @Test func `certificates that end, have ended or not begun are found`() throws {
        let day: TimeInterval = 86_400
        let now = fixture.opened.clock.now()
        func worst(_ days: Double) -> [DiagnosticsReport.Severity] {
            look(at: now.addingTimeInterval(days * day)).findings
                .filter { $0.check == "keys" && $0.severity != .note }.map(\.severity)
        }
        #expect(worst(600).isEmpty)
        // Those of two years: of signed data and of receipts.
        #expect(worst(720) == [.warning, .warning])
        #expect(worst(731) == [.broken, .broken])
        #expect(worst(-2).contains(.broken))
    }

    @Test func `a key that was revoked and still signs is found`() throws {
        let current = try #require(
            try fixture.opened.store.keys.certificates().first { $0.role == .signing })
        let before = try Data(contentsOf: keys.appendingPathComponent("signing-key.pem"))
        _ = try fixture.opened.store.keys.revoke(current.serial, at: fixture.opened.clock.now())
        // Somebody has put the old one back.
        try before.write(to: keys.appendingPathComponent("signing-key.pem"))
        #expect(look().findings.contains { $0.what.contains("was revoked") })
    }

    @Test func `a clock that is behind what has happened is found`() async throws {
        try await fixture.opened.store.database.write { repositories in
            try repositories.audit.append(
                AuditEntry(team: nil, actor: .machine, action: "b", subject: "c"),
                at: Date(timeIntervalSince1970: 4_000_000_000))
        }
        let finding = try #require(
            look().findings.first { $0.check == "clock" && $0.place != keys.path })
        #expect(finding.severity == .warning && finding.what.contains("2096"))
    }

    @Test func `a clock that has jumped past what a running store believed is found`() async throws
    {
        let now = fixture.opened.clock.now()
        try await JobService(database: fixture.opened.store.database, clock: fixture.opened.clock)
            .believe(now, insteadOf: nil)
        #expect(found(look(at: now.addingTimeInterval(80_000))) == [])
        let finding = try #require(
            look(at: now.addingTimeInterval(400 * 86_400)).findings.first {
                $0.check == "clock" && $0.what.contains("believed")
            })
        #expect(finding.severity == .warning && finding.advice.contains("after 10 hours"))
        #expect(finding.advice.contains("openstore doctor --clock-is-right"))
    }

    @Test func `rows that the store can't deal with are found, with the reason`() async throws {
        let file = directory.appendingPathComponent("store.sqlite").path
        let (status, _) = try await ChildProgram.run(
            "/usr/bin/sqlite3",
            [
                file,
                """
                INSERT INTO notification (app, environment, type, facts, date, state, set_aside)
                SELECT min(id), 'Sandbox', 'TEST', '{', 1, 'failed', 'no JSON' FROM app
                """,
            ])
        try #require(status == 0)
        let problems = found(look())
        #expect(problems.map(\.place) == ["notification 1"])
        #expect(problems.first?.what.contains("no JSON") == true)
    }

    @Test func `keys that come from the future are found`() throws {
        let report = look(at: Date(timeIntervalSince1970: 1_000_000_000))
        #expect(report.findings.contains { $0.check == "clock" && $0.place == keys.path })
    }

    @Test func `little space is a warning, and none is broken`() {
        #expect(!look(free: 3_000_000_000).findings.contains { $0.check == "space" })
        #expect(
            look(free: 1_000_000_000).findings.contains {
                $0.severity == .warning && $0.check == "space"
            })
        #expect(
            look(free: 1_000_000).findings.contains {
                $0.severity == .broken && $0.check == "space"
            })
        #expect((DiskSpace.free(at: directory) ?? 0) > 0)
    }

    @Test func `rules that are gone from the database are found`() async throws {
        _ = try await fixture.opened.store.services.accounts.create(
            email: "ada@example.com", password: "correct-horse",
            storefront: Storefront.named("USA")!, environment: .sandbox)
        let file = directory.appendingPathComponent("store.sqlite").path
        let (status, _) = try await ChildProgram.run(
            "/usr/bin/sqlite3",
            [file, "DROP TRIGGER ledger_is_constant; UPDATE sqlite_sequence SET seq = 0;"])
        try #require(status == 0)
        let problems = found(look())
        #expect(
            problems.contains { $0.check == "schema" && $0.what.contains("ledger_is_constant") })
        #expect(problems.contains { $0.check == "numbers" })
    }

    @Test func `a database that is older, newer, damaged or away is found`() async throws {
        let file = directory.appendingPathComponent("store.sqlite")
        fixture.opened.store.close()
        func set(_ version: Int64) async throws {
            _ = try await ChildProgram.run(
                "/usr/bin/sqlite3", [file.path, "PRAGMA user_version = \(version)"])
        }
        try await set(DatabaseInspection.newestSchema - 1)
        #expect(found(look()).map(\.severity) == [.warning])
        try await set(DatabaseInspection.newestSchema + 1)
        #expect(found(look()).map(\.check) == ["schema"])
        #expect(look().has(.broken))
        let handle = try FileHandle(forUpdating: file)
        try handle.write(contentsOf: Data("This is no database at all.".utf8))
        try handle.close()
        #expect(look().has(.broken))
        try FileManager.default.removeItem(at: file)
        #expect(found(look()).map(\.check) == ["database"])
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a certificate of TLS that ends, or whose chain is broken, is found`() throws {
        let day: TimeInterval = 86_400
        let now = fixture.opened.clock.now()
        // Own certificate and the one above, as a server shows them.
        let file = keys.appendingPathComponent("signing-key.pem")
        func worst(_ days: Double, _ file: URL) -> [DiagnosticsReport.Severity] {
            var report = DiagnosticsReport()
            report.checkServerCertificate(in: file, at: now.addingTimeInterval(days * day))
            return report.findings.map(\.severity)
        }
        #expect(worst(600, file) == [])
        #expect(worst(720, file) == [.warning])
        #expect(worst(731, file) == [.broken])
        #expect(worst(-2, file) == [.broken])
        #expect(worst(0, fixture.folder.file("nothing")) == [.broken])
        let intermediate = try String(
            contentsOf: keys.appendingPathComponent("intermediate-key.pem"), encoding: .utf8)
        let chain = try String(contentsOf: file, encoding: .utf8)
        let turned = try fixture.folder.write("turned.pem", intermediate + chain)
        #expect(worst(0, turned) == [.broken])
    }

    @Test func `a folder without a store is found`() {
        let paths = StorePaths(
            directory: fixture.folder.file("nothing"), database: nil, objects: nil)
        let report = StoreDiagnostics(paths, isQuick: true, now: Date()).run { _, _ in }
        #expect(report.findings.map(\.what) == ["there is no store in it"])
        #expect(!FileManager.default.fileExists(atPath: paths.directory.path))
    }
}
