import Foundation
import StoreKit
import StoreModel
import StorePackageSamples
import StoreTestSupport
import Synchronization
import Testing

/// A customer who gets an app from a store with the program's commands, on an account of Linux that
/// has nothing else.
struct AppInstalls {
    private static let id = SampleShop.bundleID.text
    /// A night has time for as many as a large app.
    private static let size =
        ProcessInfo.processInfo.environment["TEST_APP_BYTES"].flatMap { Int($0) } ?? 3_000_000

    private let store: TestStore
    private let proxy: FaultyProxy
    private let folder: TemporaryFolder
    private var home: URL { folder.file("home") }
    private var app: URL { home.appendingPathComponent(".local/share/openstore/apps/\(Self.id)") }
    private var launcher: URL { home.appendingPathComponent(".local/bin/lamp") }

    init() async throws {
        store = try await TestStore()
        proxy = try FaultyProxy(to: store.server.port)
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.file("home"), withIntermediateDirectories: true)
    }

    /// What differs between versions is the program, and one byte of a hundred in the middle.
    private func package(_ version: String) -> Data {
        var app = HandmadeApp.good(
            Self.id, version: version, program: "#!/bin/sh\necho \"lit $1 by \(version)\"\n")
        var data = HandmadeApp.Entry("usr/share/lamp/data")
        data.bytes = SampleBytes.noise(Self.size, seed: 7)
        let changed = SampleBytes.noise(Self.size / 100, seed: version == "1.0" ? 1 : 2)
        data.bytes.replaceSubrange(Self.size / 2..<Self.size / 2 + changed.count, with: changed)
        app.entries.append(data)
        return app.tarZstd
    }

    private func start(_ words: String...) async throws -> Program {
        // Neither variables nor settings but where home is.
        try await Program(
            "openstore", words,
            environment: [
                "HOME": home.path, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "",
            ])
    }

    /// What the launcher's program says.
    private func lit() async throws -> String {
        let result = try await Program.run(launcher, ["brightly"])
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func install() async throws -> Program.Result {
        let program = try await start(
            "install", Self.id, "--store", "http://127.0.0.1:\(proxy.port)", "--email",
            TestStore.american)
        program.type(TestStore.password)
        return await program.end()
    }

    @Test func `an app is installed, updated in spite of a kill, and removed without a trace`()
        async throws
    {
        defer { proxy.stop() }
        let number = try await store.sellApp("1.0", package: package("1.0"))
        let before = Set(try FileManager.default.subpathsOfDirectory(atPath: home.path))
        let installed = try await install()
        #expect(installed.code == 0, "\(installed)")
        #expect(installed.output.contains("1.0 is installed"))
        #expect(try await lit() == "lit brightly by 1.0")
        try expectDesktop()
        try expectProfile()

        // The program that fetches the next version is killed in the middle.
        try await store.sellApp("1.1", package: package("1.1"))
        let partial = app.appendingPathComponent("partial").path
        proxy.plan { .slow(bytesPerSecond: 20_000) }
        let killed = try await start("update").end {
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: partial)) ?? []
            return paths.contains { $0.hasSuffix("/partial") }
        }
        #expect(killed.code == 128 + SIGKILL, "\(killed)")
        #expect(try await lit() == "lit brightly by 1.0")

        // While another one is at it, nothing is done.
        let lock = open(
            app.deletingLastPathComponent().appendingPathComponent(".locks/\(Self.id)").path,
            O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let second = try await start("update").end()
        #expect(second.code == 75 && second.errors.contains("another openstore"), "\(second)")
        close(lock)

        proxy.plan { nil }
        _ = proxy.takeCarried()
        let updated = try await start("update", "--json").end()
        #expect(updated.code == 0, "\(updated)")
        #expect(try await lit() == "lit brightly by 1.1")
        let json = try JSONSerialization.jsonObject(with: Data(updated.output.utf8))
        let report = try #require((json as? [[String: Any]])?.first)
        #expect(report["versionBefore"] as? String == "1.0")
        // One byte of a hundred has changed, and of a small app a chunk or two.
        let carried = proxy.takeCarried()
        #expect(carried < max(Self.size / 50, 1_500_000), "\(carried) bytes")
        let left = try FileManager.default.contentsOfDirectory(atPath: partial)
        #expect(left.isEmpty, "\(left)")
        let again = try await start("update").end()
        #expect(again.output.contains("1.1 is up to date"), "\(again)")
        let list = try await start("list", "--quiet").end()
        #expect(list.output == Self.id + "\n")

        let removed = try await start("uninstall", String(number.number)).end()
        #expect(removed.code == 0, "\(removed)")
        let rest = Set(try FileManager.default.subpathsOfDirectory(atPath: home.path))
            .subtracting(before)
        #expect(!rest.contains { $0.contains("lamp") || $0.hasSuffix(Self.id + ".desktop") })
        #expect(!FileManager.default.fileExists(atPath: app.path))
        #expect(try await start("update").end().output.contains("No app is installed"))
    }

    private func expectDesktop() throws {
        let data = home.appendingPathComponent(".local/share")
        let entry = try String(
            contentsOf: data.appendingPathComponent("applications/\(Self.id).desktop"),
            encoding: .utf8)
        #expect(entry.contains("Name[de]=Lampe\n"))
        #expect(entry.contains("Exec=\(app.path)/current/app/usr/bin/lamp --window %U\n"))
        #expect(!entry.contains("rm -rf"))
        let icon = "icons/hicolor/scalable/apps/\(Self.id).svg"
        #expect(FileManager.default.fileExists(atPath: data.appendingPathComponent(icon).path))
    }

    /// Beside the program lies the profile of production, and whoever signed in for the app is
    /// signed in in it.
    private func expectProfile() throws {
        let file = app.appendingPathComponent("current/app/usr/bin/embedded.storeprofile")
        let text = try String(contentsOf: file, encoding: .utf8)
        let profile = try DeviceProfile(text: text, source: file.path)
        #expect(profile.payload.bundleId == SampleShop.bundleID)
        #expect(profile.payload.environment == .production)
        let device = try StoreDevice(profile: profile, environment: ["HOME": home.path])
        #expect(device.sessions.session?.email == TestStore.american)
    }

    @Test func `what is somebody else's stays, and an app that is not there is said to be missing`()
        async throws
    {
        defer { proxy.stop() }
        try await store.sellApp("1.0", package: package("1.0"))
        try FileManager.default.createDirectory(
            at: launcher.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: launcher)
        let installed = try await install()
        #expect(installed.code == 0 && installed.output.contains("somebody else's"), "\(installed)")
        #expect(try Data(contentsOf: launcher) == Data("mine".utf8))
        let other = try await start("install", "no such app at all").end()
        #expect(other.code == 66, "\(other)")
        #expect(try await start("uninstall", "other").end().code == 66)
        #expect(try await start("uninstall", Self.id).end().code == 0)
        #expect(try Data(contentsOf: launcher) == Data("mine".utf8))
    }
}
