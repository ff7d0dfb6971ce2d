import Foundation
import StoreTestSupport
import Testing

/// Programs of an app whose sheets the environment answers, as `openstore test` runs them.
struct UnattendedApps {
    /// The environment of an app's processes.
    private func environment(
        _ shop: Shop, address: String, sheet: String
    ) async throws -> [String: String] {
        try await shop.device("phone", address: address).merging([
            "OPENSTORE_SHEET": sheet, "OPENSTORE_TESTER": "\(Shop.email):\(Shop.password)",
            "OPENSTORE_DEVICES": shop.folder.file("devices").path,
        ]) { $1 }
    }

    @Test func `two processes of an app buy at the same time, each on a device of its own`()
        async throws
    {
        let shop = try await Shop()
        let (server, address) = try await shop.serve()
        let environment = try await environment(shop, address: address, sheet: "accept")
        let buy = ["--buy", "\(SampleShop.credits):1", "--expect"]
        // It waits for a transaction that never comes, and keeps its device meanwhile.
        let first = try await Program("StoreTestApp", buy + ["2"], environment: environment)
        #expect(await first.line(with: "removed 1") != nil)
        let second = try await Program.run(
            "StoreTestApp", buy + ["1"], environment: environment)
        #expect(second.code == 0, "\(second.errors)")
        first.send(SIGKILL)
        _ = await first.end()
        #expect(try await shop.ledger().count == 2)
        let devices = try FileManager.default.contentsOfDirectory(
            atPath: shop.folder.file("devices").path)
        #expect(devices.count == 2)
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test func `a payment that the environment declines is cancelled`() async throws {
        let shop = try await Shop()
        let (server, address) = try await shop.serve()
        let app = try await Program.run(
            "StoreTestApp", ["--buy", "\(SampleShop.credits):1", "--expect", "1"],
            environment: try await environment(shop, address: address, sheet: "decline"))
        #expect(app.code == 0, "\(app.errors)")
        #expect(app.output.contains("transaction \(SampleShop.credits) failed"))
        #expect(app.output.contains("cancelled"))
        #expect(try await shop.ledger().isEmpty)
        server.send(SIGTERM)
        _ = await server.end()
    }
}
