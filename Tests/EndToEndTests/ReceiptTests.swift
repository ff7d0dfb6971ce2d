import Foundation
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReceiptPrograms {
    @Test func `an app finds its receipt where Foundation says, after a refresh`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        var environment = try await shop.device("phone", address: "\(address)")
        let bought = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.badge):1"],
            environment: environment)
        #expect(bought.code == 0, "\(bought.errors)")
        let result = try await Program.run(
            "StoreTestApp", ["--receipt"], environment: environment)
        #expect(result.code == 0, "\(result.errors)")
        let path =
            environment["XDG_STATE_HOME"]! + "/\(SampleShop.bundleID)/StoreKit"
            + "/sandboxReceipt"
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(4) == ["bundle \(path)", "other nil", "openstore \(path)", "refreshed"])
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(
            lines.dropFirst(4) == [
                "bytes \(size)", "receipt \(SampleShop.bundleID) ProductionSandbox",
            ])

        environment["OPENSTORE_PROFILE"] = "/nonexistent"
        let lost = try await Program.run(
            "StoreTestApp", ["--receipt"], environment: environment)
        #expect(lost.output == "bundle nil\nother nil\nopenstore nil\n")
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test func `an app with an invalid receipt ends with the status 173`() async throws {
        let result = try await Program.run("StoreTestApp", ["--invalid-receipt"])
        #expect(result.code == 173)
        #expect(result.errors.contains("SKReceiptRefreshRequest"))
    }
}
