import Foundation
import StoreTestSupport
import Testing

/// Backups of a store that runs, and stores that are made of them, with the built program.
struct BackupCommands {
    private func buy(
        _ product: String, on device: String, of shop: Shop, at address: String,
        _ more: [String] = []
    ) async throws -> Program.Result {
        let environment = try await shop.device(device, address: address)
        return try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(product):1"] + more,
            environment: environment)
    }

    /// A database of a server, where one is wanted.
    private func database(_ isWanted: Bool) async throws -> PostgresTestDatabase? {
        guard isWanted else { return nil }
        // Whoever comes first starts the server.
        return try await onThread { try PostgresTestDatabase(isEmpty: true) }
    }

    @Test(arguments: [false, true])
    func `a store that is lost is restored, with what was sold, and sells on`(
        hasServer: Bool
    ) async throws {
        var shop = try await Shop()
        let place = try await database(hasServer)
        // It goes away with its last user, whom the programs that use it are not.
        defer { withExtendedLifetime(place) {} }
        if let place {
            try await shop.command([
                "database", "copy", "--from", "sqlite:\(shop.data)/store.sqlite", "--to",
                place.address,
            ])
            shop.environment["OPENSTORE_DATABASE"] = place.address
        }
        let (server, address) = try await shop.serve()
        let bought = try await buy(SampleShop.chapter, on: "phone", of: shop, at: address)
        #expect(bought.code == 0, "\(bought.errors)")
        // Buying goes on while the backup is made.
        let running = shop
        async let buying = buy(SampleShop.credits, on: "tablet", of: running, at: address)
        let backups = shop.folder.file("backups").path
        try await shop.command(["backup", "--data", shop.data, "--to", backups])
        let tablet = try await buying
        #expect(tablet.code == 0, "\(tablet.errors)")
        server.send(SIGKILL)
        _ = await server.end()

        // Everything is lost; another folder, and another database, take its place.
        try FileManager.default.removeItem(atPath: shop.data)
        let other = try await database(hasServer)
        defer { withExtendedLifetime(other) {} }
        if let other { shop.environment["OPENSTORE_DATABASE"] = other.address }
        let restored = shop.folder.file("restored")
        let told = try await shop.command([
            "restore", "--from", backups, "--data", restored.path,
        ])
        #expect(told.contains("openstore serve --data \(restored.path)"))
        let again = try await Program.run(
            "openstore", ["restore", "--from", backups, "--data", restored.path],
            environment: shop.environment)
        #expect(again.code == 1 && again.errors.contains("has a store in it already"))
        try FileManager.default.moveItem(atPath: restored.path, toPath: shop.data)

        let (new, _) = try await shop.serve()
        let sound = try await Program.run(
            "openstore", ["doctor", "--data", shop.data, "--store", address, "--json"],
            environment: shop.environment)
        let looked = try JSONDecoder().decode(DoctorReport.self, from: Data(sound.output.utf8))
        // The tests' own server writes as fast as it can, and so may lose something.
        #expect(
            looked.findings.allSatisfy { $0.severity == "note" || $0.check == "durability" },
            "\(sound.output)\(sound.errors)")
        #expect(looked.findings.contains { $0.check == "durability" } == hasServer)
        // The profile that the lost store has signed, the session and the purchase are good.
        let installed = shop.folder.file("installed")
        let device = try await shop.device("new", address: address)
        let back = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--restore", "--install", installed.path],
            environment: device)
        #expect(back.code == 0, "\(back.errors)\(back.output)")
        #expect(back.output.contains("\(SampleShop.chapter) restored"), "\(back.output)")
        try shop.expectSameContent(installed)
        let next = try await buy(SampleShop.badge, on: "phone", of: shop, at: address)
        #expect(next.code == 0, "\(next.errors)")
        new.send(SIGTERM)
        let end = await new.end()
        #expect(end.code == 0, "\(end.code): \(end.errors)")
    }

    /// Bytes of everything in a folder.
    private static func size(of folder: URL) -> Int {
        let files = FileManager.default
        let paths = (try? files.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.reduce(0) { sum, path in
            let file = folder.appendingPathComponent(path).path
            return sum + ((try? files.attributesOfItem(atPath: file))?[.size] as? Int ?? 0)
        }
    }

    /// As soon as it has begun to write, and when it has written all content.
    @Test(arguments: [1, 1_000_000])
    func `a backup that is killed leaves nothing that looks whole`(bytes: Int) async throws {
        let shop = try await Shop(noiseBytes: 1_100_000)
        let folder = shop.folder.file("backups")
        let archive = folder.appendingPathComponent("one.tar")
        do {
            // A backup takes the keys last, while nobody changes them: as long as they are held
            // here, it can't be quicker than the signal.
            let keys = open(shop.data + "/keys", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(keys >= 0)
            defer { close(keys) }
            try #require(flock(keys, LOCK_EX | LOCK_NB) == 0)
            let backup = try await Program(
                "openstore", ["backup", "--data", shop.data, "--to", archive.path])
            let end = try await backup.end(killingOnce: { Self.size(of: folder) >= bytes })
            #expect(end.code == 128 + SIGKILL, "\(end.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: archive.path))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.allSatisfy { $0.hasPrefix(".openstore-backup-") })
        let restore = try await Program.run(
            "openstore",
            ["restore", "--from", folder.path, "--data", shop.folder.file("restored").path])
        #expect(restore.code == 1 && restore.errors.contains("holds no backup"))
        try await shop.command(["backup", "--data", shop.data, "--to", archive.path])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["one.tar"])
        try await shop.command(["restore", "--from", archive.path, "--check"])
    }

    @Test func `a restore that is killed is no store, and begins again`() async throws {
        let shop = try await Shop(noiseBytes: 100_000)
        let archive = shop.folder.file("one.tar").path
        try await shop.command(["backup", "--data", shop.data, "--to", archive])
        let restored = shop.folder.file("restored").path
        do {
            // The archive comes through a pipe, and stops in the middle of a file: the restore
            // waits for the rest, and can't be quicker than the signal.
            let pipe = shop.folder.file("pipe.tar").path
            try #require(mkfifo(pipe, 0o600) == 0)
            let writer = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            try #require(writer >= 0)
            defer { close(writer) }
            let beginning = try Data(contentsOf: URL(fileURLWithPath: archive)).prefix(1 << 14)
            let written = beginning.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            try #require(written > 1024)
            let restore = try await Program(
                "openstore", ["restore", "--from", pipe, "--data", restored])
            // As soon as something of it is there.
            let end = try await restore.end(killingOnce: {
                FileManager.default.fileExists(atPath: restored + "/.restoring/store")
            })
            #expect(end.code == 128 + SIGKILL, "\(end.errors)")
        }
        let serve = try await Program.run(
            "openstore", ["serve", "--data", restored, "--listen", "127.0.0.1:0"])
        #expect(serve.code == 1 && serve.errors.contains("run it again"), "\(serve.errors)")
        let broken = try await Program.run("openstore", ["doctor", "--data", restored])
        #expect(broken.code == 2)
        try await shop.command(["restore", "--from", archive, "--data", restored])
        let sound = try await Program.run("openstore", ["doctor", "--data", restored])
        #expect(sound.code == 0, "\(sound.output)")
    }

    @Test func `a doctor says what is broken, for people and for programs`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let words = ["doctor", "--data", shop.data]
        let sound = try await Program.run("openstore", words)
        #expect(sound.code == 0 && sound.output.contains("The store is sound"), "\(sound.output)")
        let key = shop.data + "/keys/root-key.pem"
        #expect(chmod(key, 0o644) == 0)
        let broken = try await Program.run("openstore", words)
        #expect(broken.code == 2)
        #expect(broken.output.contains("chmod 600 \(key)"))
        let json = try await Program.run("openstore", words + ["--json"])
        #expect(json.code == 2)
        let report = try JSONDecoder().decode(DoctorReport.self, from: Data(json.output.utf8))
        #expect(!report.isSound)
        #expect(report.findings.contains { $0.severity == "broken" && $0.place == key })
        // Where a store has to answer, silence is broken; elsewhere it is none of this one's.
        #expect(chmod(key, 0o600) == 0)
        let silent = try await Program.run(
            "openstore", words + ["--quick", "--store", "http://127.0.0.1:1"])
        #expect(silent.code == 2 && silent.output.contains("nobody answers"))
        let other = try await Shop(noiseBytes: 1000, isCopy: false)
        let (server, address) = try await other.serve()
        let foreign = try await Program.run("openstore", words + ["--quick", "--store", address])
        #expect(foreign.code == 2 && foreign.output.contains("not this store"))
        let answered = try await Program.run(
            "openstore", ["doctor", "--data", other.data, "--answer"])
        // The folder says where its store runs.
        #expect(answered.code == 0 && answered.output.contains(address), "\(answered.output)")
        // What has nothing to read again goes on.
        server.send(SIGHUP)
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test func `settings of a file and of the environment reach the store`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let file = try shop.folder.write(
            "openstore.conf", "# a shop\nlisten = 127.0.0.1:0\ndata = \(shop.data)\n")
        let server = try await Program("openstore", ["serve", "--config", file.path])
        #expect(await server.line(with: "production") != nil)
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
        let effective = try await Program.run(
            "openstore", ["configuration", "--effective"],
            environment: [
                "OPENSTORE_CONFIG": file.path,
                "OPENSTORE_DATABASE": "postgres://shop:hush@db/shop",
            ])
        #expect(effective.code == 0)
        #expect(effective.output.contains("\(file.path):2"))
        #expect(effective.output.contains("postgres://shop:***@db/shop"))
        #expect(!effective.output.contains("hush"))
        try shop.folder.write("openstore.conf", "\nlisten = nowhere\n")
        let wrong = try await Program.run("openstore", ["serve", "--config", file.path])
        #expect(wrong.code == 78)
        #expect(wrong.errors.contains("\(file.path):2: listen: \"nowhere\""), "\(wrong.errors)")
    }
}

/// What `openstore doctor --json` writes.
private struct DoctorReport: Decodable {
    struct Finding: Decodable {
        let severity: String
        let check: String
        let place: String
    }
    let isSound: Bool
    let findings: [Finding]
}
