import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)), .serialized) struct CommandLines {
    static let samples = ["Consumables", "HostedNonConsumables", "ProductView", "Subscriptions"]

    @Test(arguments: samples)
    func `help needs no store and has no colour`(_ sample: String) async throws {
        let result = try await Programs.run(
            Programs.folder.appendingPathComponent(sample), ["--help"])
        #expect(result.code == 0)
        #expect(result.output.contains("Usage: \(sample)"))
        #expect(result.errors.isEmpty && !result.output.contains("\u{1b}"))
    }

    @Test(arguments: samples)
    func `a wrong command line says what is wrong`(_ sample: String) async throws {
        let result = try await Programs.run(
            Programs.folder.appendingPathComponent(sample), ["--frobnicate"])
        #expect(result.code == 64)
        #expect(result.errors.contains("--frobnicate") && result.output.isEmpty)
    }

    @Test(arguments: samples, ["", "/nowhere/storeprofile"])
    func `without a profile it says how to make one`(_ sample: String, _ profile: String)
        async throws
    {
        let home = FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-sample-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        // A copy: beside the built sample may lie the profile of somebody who has tried it.
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let program = home.appendingPathComponent(sample)
        try Programs.copy(Programs.folder.appendingPathComponent(sample), to: program)
        let result = try await Programs.run(
            program,
            environment: ["OPENSTORE_PROFILE": profile, "HOME": home.path])
        #expect(result.code == 1)
        let wanted = profile.isEmpty ? "openstore profile create" : profile
        #expect(result.errors.contains("\(sample): ") && result.errors.contains(wanted))
    }

    @Test(arguments: samples)
    func `NO_COLOR is respected on a terminal`(_ sample: String) async throws {
        let shop = try await Shop()
        let customer = try Customer(sample, environment: shop.device("phone", ["NO_COLOR": "1"]))
        try await customer.answers("quits: ", "q\n")
        #expect(await customer.end() == 0)
        #expect(!customer.screen.contains("\u{1b}"))
    }
}
