import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// What SIGKILL must not be able to do.
struct Crashes {
    @Test func `a store killed between commit and answer has sold once`() async throws {
        let shop = try await Shop()
        let (doomed, address) = try await shop.serveUntil(1)
        let app = try await Program(
            "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.credits):3"],
            environment: try await shop.device("phone", address: address))
        doomed.stop(after: app)
        let death = await doomed.end()
        #expect(death.code == 128 + SIGKILL)
        let committed = try await shop.ledger()
        #expect(committed.count == 1)

        let (server, _) = try await shop.serve()
        let result = await app.end()
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
        #expect(result.code == 0, "\(result.errors)")
        let id = try #require(committed.first).entry.id
        #expect(
            transactions(result.output) == [
                "\(SampleShop.credits) purchasing -", "\(SampleShop.credits) purchased \(id)",
            ])
        let ledger = try await shop.ledger()
        #expect(ledger.map(\.entry) == committed.map(\.entry))
        #expect(ledger.map(\.isFinished) == [true])
    }

    @Test(arguments: ["confirm", "request", "answer"])
    func `an app killed on the way buys once`(_ point: String) async throws {
        let shop = try await Shop()
        let (server, address) = try await shop.serve()
        let buy = ["--expect", "1", "--buy", "\(SampleShop.credits):2"]
        let killed = try await Program.run(
            "StoreTestApp", buy,
            environment: try await shop.device("phone", address: address, fault: point))
        #expect(killed.code == 128 + SIGKILL)
        #expect(try await shop.ledger().count == (point == "answer" ? 1 : 0))

        // The app comes back and does nothing but observe the queue.
        let environment = try await shop.device("phone", address: address)
        let again = try await Program.run(
            "StoreTestApp", ["--expect", "1"], environment: environment)
        #expect(again.code == 0, "\(again.errors)")
        let ledger = try await shop.ledger()
        #expect(ledger.count == 1)
        #expect(ledger.first?.entry.details.quantity == 2)
        #expect(ledger.first?.isFinished == true)
        let seen = transactions(again.output)
        #expect(seen.count { $0.contains("purchased") } == 1)
        // Whoever confirmed is not asked again.
        #expect(again.output.contains("confirm") == (point == "confirm"))

        // And nothing comes back a third time.
        let third = try await Program.run(
            "StoreTestApp", ["--expect", "0", "--restore"], environment: environment)
        #expect(!third.output.contains("purchased"))
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test(arguments: [1, 100_000, 2_000_000, 4_900_000])
    func `a killed download goes on where it was`(_ bytes: Int) async throws {
        let size = 5_000_000
        let shop = try await Shop(noiseBytes: size)
        let (server, address) = try await shop.serve()
        let installed = shop.folder.file("installed")
        let arguments = ["--expect", "1", "--install", installed.path]
        let killed = try await Program.run(
            "StoreTestApp", arguments + ["--buy", "\(SampleShop.chapter):1"],
            environment: try await shop.device(
                "phone", address: address, fault: "content:\(bytes)"))
        #expect(killed.code == 128 + SIGKILL)
        #expect(!FileManager.default.fileExists(atPath: installed.path))

        let again = try await Program.run(
            "StoreTestApp", arguments,
            environment: try await shop.device("phone", address: address))
        #expect(again.code == 0, "\(again.errors)")
        try shop.expectSameContent(installed)
        // What had arrived was not fetched a second time, but for a chunk on each connection.
        let received = again.output.split(separator: "\n")
            .compactMap { $0.hasPrefix("received ") ? Int($0.dropFirst(9)) : nil }
        let longest = size + 10_000 - bytes + 4 * ((128 << 10) + 1024)
        #expect(try #require(received.last) <= longest)
        #expect(try await shop.ledger().count == 1)
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test func `a download outlives its store`() async throws {
        let shop = try await Shop(noiseBytes: 5_000_000)
        let (first, address) = try await shop.serve()
        let installed = shop.folder.file("installed")
        let app = try await Program(
            "StoreTestApp",
            ["--expect", "1", "--install", installed.path, "--buy", "\(SampleShop.chapter):1"],
            environment: try await shop.device("phone", address: address, fault: "wait:1000000"))
        #expect(await app.line(with: "waiting") != nil)
        first.send(SIGKILL)
        _ = await first.end()
        let (second, _) = try await shop.serve()
        app.type("go on")
        let result = await app.end()
        #expect(result.code == 0, "\(result.errors)")
        try shop.expectSameContent(installed)
        second.send(SIGTERM)
        _ = await second.end()
    }

    /// The `transaction` lines of the app.
    private func transactions(_ output: String) -> [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("transaction ") }
            .map { String($0.dropFirst("transaction ".count)) }
    }
}
