import Foundation
import Testing

/// Samples on a machine whose administrator has switched purchases off.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled("this user may not mount file systems of their own") {
        let mount = ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
        return (try? await Programs.run(URL(fileURLWithPath: "/usr/bin/unshare"), mount))?.code == 0
    }) struct RestrictedSamples
{
    private static let samples: [(program: String, arguments: [String])] = [
        ("Consumables", []), ("Consumables", ["--storekit2"]), ("HostedNonConsumables", []),
        ("Subscriptions", []), ("ProductView", []),
    ]

    @Test(arguments: samples)
    func `a sample says that purchases are switched off, and shows no shop`(
        program: String, arguments: [String]
    ) async throws {
        let shop = try await Shop()
        if program == "Subscriptions" { try await shop.sellMagazine() }
        let profile =
            program == "Subscriptions" ? ["OPENSTORE_PROFILE": shop.magazineProfile.path] : [:]
        let customer = try Customer(
            program, arguments, environment: shop.device("phone", profile),
            restriction: shop.folder.appendingPathComponent("etc"))
        try await customer.sees("Purchases are switched off on this device")
        try await customer.answers("quits: ", "q\n")
        #expect(await customer.end() == 0)
        #expect(!customer.screen.contains("$"), "\(customer.screen)")
    }
}
