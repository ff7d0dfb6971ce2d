import Foundation
import StoreCore
import StoreModel
import StoreServer

/// The demo's store, its two testers and their devices.
struct DemoStore {
    /// A tester with the device that they hold.
    private struct Tester {
        let name: String
        let email: String
        let storefront: String
        let device: String
    }

    private static let american = Tester(
        name: "US tester", email: "ada@example.com", storefront: "USA", device: "ada-phone")
    private static let japanese = Tester(
        name: "Japanese tester", email: "haruki@example.com", storefront: "JPN",
        device: "haruki-phone")
    private static let password = "lantern-and-clock"

    private let folder: URL
    private let asks: Bool
    private let output: Output
    private let store: Store
    private let server: StoreServer
    private var profile: URL { folder.appendingPathComponent("embedded.storeprofile") }

    /// - Parameter notificationTargets: where apps' notifications may be sent.
    init(
        folder: URL, asks: Bool, notificationTargets: NotificationTargets, output: Output
    ) async throws {
        self.folder = folder
        self.asks = asks
        self.output = output
        let log = folder.appendingPathComponent("store.log")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        store = try Store(
            directory: folder.appendingPathComponent("store"),
            log: EventLog { line in try? handle.write(contentsOf: Data((line + "\n").utf8)) },
            notificationTargets: notificationTargets)
        server = try StoreServer(store: store)
        await store.prepareCertificates(answeringAt: server.address)
    }

    func close() {
        server.stop()
    }

    /// What the publisher and the operator do before an app can sell.
    ///
    /// - Parameter portalPassword: with which everybody signs in to the portal, which is
    ///   filled then; nil leaves it empty.
    func prepare(shop: URL, portalPassword: String?) async throws {
        heading("The store")
        output.line("  A fresh store listens on \(server.address), its ledger is in")
        output.line("  \(store.directory.path)/store.sqlite.")
        let report: CatalogImportReport
        if let portalPassword {
            report = try await fillPortal(shop: shop, password: portalPassword)
        } else {
            report = try await store.importCatalog(
                configuration: try Data(
                    contentsOf: shop.appendingPathComponent("Bookshop.storekit")),
                content: shop.appendingPathComponent("Content"), appName: "Bookshop")
        }
        output.line(
            "  Imported \(report.products.count) products of \(report.app.bundleID), "
                + "\(report.releases.count) with hosted content.")
        for tester in [Self.american, Self.japanese] {
            let account = try await store.services.accounts.create(
                email: tester.email, password: Self.password,
                storefront: Storefront.named(tester.storefront)!, environment: .sandbox)
            _ = try await store.services.testers.adopt(
                account.id, for: report.app.teamID, by: .machine)
        }
        let text = try await store.makeProfile(
            bundleID: report.app.bundleID, environment: .sandbox, address: server.address)
        try Data(text.utf8).write(to: profile)
    }

    private func fillPortal(shop: URL, password: String) async throws -> CatalogImportReport {
        var team = try DemoTeam(
            filling: store, end: store.clock.now(), password: password,
            address: server.address, shop: shop)
        let report = try await team.fill { part in
            output.replaceLine("  Filling the portal: \(part.rawValue)…")
        }
        output.replaceLine()
        return report
    }

    /// Lets commands that know the folder find the running store, and a key for it.
    ///
    /// - Returns: what takes the note away again.
    func leaveNote() async throws -> LeftNote {
        _ = try await store.makeFirstAPIKey()
        return try ServingNote(address: server.address, publicAddress: nil)
            .leave(in: store.directory)
    }

    /// Does what a running store does beside answering, for example processing packages that
    /// come from the portal; until the task is cancelled.
    func work() async {
        await StoreJobs(store: store, address: server.address).run()
    }

    /// Lets the app run, one scenario after the other.
    func play() async throws {
        for tester in [Self.american, Self.japanese] {
            heading("The app, for the \(tester.name)")
            try await run(.browse, tester, device: tester.device)
        }
        heading("Buying, on the first device")
        try await run(.buy, Self.american, device: Self.american.device)
        heading("Restoring, on a second device")
        try await run(.restore, Self.american, device: "ada-laptop")
        heading("What happened")
        try await summarize()
    }

    /// Says where everything is, and who can sign in where.
    func printAddresses(portalPassword: String) {
        output.line()
        output.line("The store goes on running; Control-C ends it, and takes its folder away.")
        output.line("  production  \(server.address)")
        output.line(
            "              customers sign in here: \(DemoTeam.exampleCustomers), password "
                + portalPassword)
        output.line("  sandbox     \(server.address)\(StoreEnvironment.sandbox.pathPrefix)")
        output.line(
            "              testers sign in here: \(Self.american.email), \(Self.japanese.email), "
                + "password \(Self.password)")
        output.line(
            "              (at the production address a tester becomes a customer; its page asks "
                + "first)")
        output.line("  profile     \(profile.path)")
        output.line("  data        \(store.directory.path)")
        output.line()
        output.line(output.styled("The portal", .bold))
        output.line("  \(server.address)/connect/")
        output.line("  Whoever it is, the password is \(portalPassword)")
        output.line()
        var table = Table(["EMAIL", "ROLE", "IN"])
        table.rows = DemoPerson.allCases.map { [$0.email, $0.role.title, $0.group] }
        output.write(table.text(on: output, indent: "  "))
    }

    // MARK: Parts

    private func heading(_ text: String) {
        output.line()
        output.line(output.styled(text, .bold))
    }

    private func report(of device: String) -> URL {
        folder.appendingPathComponent("\(device)-report.json")
    }

    /// Runs the app in a process of its own, with folders and a profile as on a device.
    private func run(_ scenario: DemoScenario, _ tester: Tester, device: String) async throws {
        let home = folder.appendingPathComponent(device)
        var environment = ProcessInfo.processInfo.environment
        environment["OPENSTORE_PROFILE"] = profile.path
        environment["HOME"] = home.path
        // Nothing goes on when the demo has ended.
        environment["OPENSTORE_DOWNLOADS"] = "inside"
        environment["XDG_STATE_HOME"] = home.appendingPathComponent("state").path
        environment["XDG_CACHE_HOME"] = home.appendingPathComponent("cache").path
        environment["XDG_CONFIG_HOME"] = home.appendingPathComponent("config").path
        let settings = DemoSettings(
            email: tester.email, password: Self.password, asks: asks,
            library: home.appendingPathComponent("Library").path,
            report: report(of: device).path)
        environment[DemoSettings.variable] = try settings.encoded()
        let code = try await DemoAppProcess.run(
            arguments: ["openstore", DemoScenario.word, scenario.rawValue], environment: environment
        )
        guard code == 0 else {
            throw DemoFailure(description: "the app ended with the exit code \(code)")
        }
    }

    /// Holds what the app says it got against what the ledger says was sold.
    private func summarize() async throws {
        let data = try? Data(contentsOf: report(of: Self.american.device))
        let bought = try data.map { try JSONDecoder().decode([DemoReport].self, from: $0) } ?? []
        guard !bought.isEmpty else {
            output.line("  Nothing was bought, and nothing was charged.")
            return
        }
        var table = Table(
            ["TRANSACTION", "PRODUCT", "QTY", "CHARGED", "FINISHED"], rightAligned: [2, 3])
        for item in bought {
            guard let id = TransactionID(item.transactionIdentifier) else { continue }
            let (entry, isFinished) = try await store.database.read { repositories in
                (try repositories.ledger.entry(id), try repositories.ledger.isFinished(id))
            }
            guard let entry else {
                throw DemoFailure(description: "the ledger lacks the transaction \(id)")
            }
            table.rows.append([
                id.description, entry.details.productID.text, String(entry.details.quantity),
                entry.details.charged.formatted(locale: entry.details.storefront.locale),
                isFinished ? "yes" : "no",
            ])
        }
        output.write(table.text(on: output, indent: "  "))
        guard let signed = bought.first else { return }
        let fingerprint = try store.rootFingerprint()
        guard signed.rootFingerprint == fingerprint else {
            throw DemoFailure(description: "the signature leads to another root")
        }
        let verified = output.styled("verified", .green)
        output.line()
        output.line("  Signature of \(signed.transactionIdentifier): \(verified) by the app")
        output.line("    signed    \(signed.signedDate)")
        output.line("    root      SHA-256 \(fingerprint.prefix(32))…, the store's own")
        output.line("    JWS       \(signed.jws.prefix(48))… (\(signed.jws.count) characters)")
    }
}

/// The demo could not go on.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String
}
