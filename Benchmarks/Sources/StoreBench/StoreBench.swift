import Foundation

/// Runs measurements beside their baselines, and writes a table of medians and ratios.
@main
struct StoreBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let parts = [
            "store", "renewals", "scale", "growth", "alternatives", "client", "content", "connect",
            "storefront", "signing", "sessions",
        ]
        // Takes hours, and is asked for by its name.
        let alone = ["soak"]
        guard arguments.count >= 3,
            case let wanted = arguments.count > 4 ? [arguments[4]] : parts,
            wanted.allSatisfy((parts + alone).contains)
        else {
            FileHandle.standardError.write(
                Data(
                    "usage: StoreBench OPENSTORE FOLDER [SECONDS [\((parts + alone).joined(separator: "|"))]]\n"
                        .utf8))
            exit(64)
        }
        do {
            try await measure(wanted, arguments)
        } catch {
            FileHandle.standardError.write(Data("StoreBench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func measure(_ wanted: [String], _ arguments: [String]) async throws {
        let seconds = arguments.count > 3 ? Int(arguments[3]) ?? 5 : 5
        let folder = URL(fileURLWithPath: arguments[2])
        if wanted.contains("store") {
            try await measureStore(program: arguments[1], folder: folder, seconds: seconds)
        }
        if wanted.contains("renewals") {
            try await measureRenewals(program: arguments[1], folder: folder, seconds: seconds)
        }
        if wanted.contains("scale") {
            try await measureScale(program: arguments[1], folder: folder, seconds: seconds)
        }
        if wanted.contains("growth") {
            try await measureGrowth(program: arguments[1], folder: folder)
        }
        if wanted.contains("alternatives") {
            try await measureAlternatives(
                program: arguments[1], folder: folder, seconds: seconds)
        }
        if wanted.contains("soak") {
            try await measureSoak(program: arguments[1], folder: folder)
        }
        if wanted.contains("client") {
            try await measureClient(program: arguments[1], folder: folder)
        }
        if wanted.contains("content") {
            try measureContent(program: arguments[1], folder: folder)
        }
        if wanted.contains("connect") {
            try measureConnect(program: arguments[1], folder: folder)
        }
        if wanted.contains("storefront") {
            try measureStorefront(program: arguments[1], folder: folder, seconds: seconds)
        }
        if wanted.contains("sessions") {
            try measureSessions(program: arguments[1], folder: folder)
        }
        if wanted.contains("signing") {
            try measureSigning(program: arguments[1], seconds: seconds)
        }
    }

    private static func measureSessions(program: String, folder: URL) throws {
        progress("test sessions")
        let bench = SessionBench(
            program: program, apps: apps, folder: folder,
            configuration: URL(
                fileURLWithPath: "../Tests/StoreKitTestTests/Resources/Shop.storekit"))
        let table = Figure.table(try bench.run())
        print()
        print(table)
        try Report.write(
            table, as: "sessions", "medians", into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureSigning(program: String, seconds: Int) throws {
        let bench = SigningBench(
            program: URL(fileURLWithPath: program).deletingLastPathComponent()
                .appendingPathComponent("StoreSigningBench"), seconds: seconds)
        let table = Series.table(try bench.run())
        print()
        print(table)
        try Report.write(
            table, as: "signing", "median of five rounds", into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureStorefront(program: String, folder: URL, seconds: Int) throws {
        let items =
            ProcessInfo.processInfo.environment["ITEMS"].flatMap { Int($0) } ?? 1_000_000
        let bench = StorefrontBench(
            program: program, folder: folder, items: items, seconds: seconds)
        let table = Figure.table(try bench.run())
        print()
        print(table)
        try Report.write(
            table, as: "storefront", "2,000 queries, pages as medians of three rounds",
            into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureStore(program: String, folder: URL, seconds: Int) async throws {
        let rounds = 3
        let shop = try await BenchShop(program: program, folder: folder)
        defer { shop.stop() }
        let load = HTTPLoad(folder: shop.folder, seconds: seconds)

        var purchases = Series("Durable purchases, 64 clients", unit: "per second", aim: 0.5)
        var products = Series("Product requests, 64 clients", unit: "per second", aim: 0.5)
        for round in 1...rounds {
            progress("round \(round) of \(rounds)")
            purchases.baselines.append(
                try GroupCommitBaseline(folder: shop.folder).run(clients: 64, seconds: seconds)
                    .perSecond)
            let before = try shop.ledgerCount()
            let bought = try load.requests(
                to: shop.url("/device/v1/purchases"), script: shop.purchaseScript(round: round),
                connections: 64)
            let written = try shop.ledgerCount() - before
            // wrk stops with up to one unread answer on each connection.
            precondition(
                written >= bought.requests && written <= bought.requests + 64,
                "the ledger has \(written) new rows for \(bought.requests) answers")
            purchases.values.append(bought.perSecond)

            products.baselines.append(
                try load.requests(
                    to: shop.address + "/.well-known/openstore/root.pem", script: "",
                    connections: 64
                ).perSecond)
            products.values.append(
                try load.requests(
                    to: shop.url("/device/v1/products"), script: shop.productsScript(),
                    connections: 64
                ).perSecond)
        }
        let table = Series.table([purchases, products])
        print()
        print(table)
        try Report.write(
            table, as: "table", "median of three rounds", into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureRenewals(
        program: String, folder: URL, seconds: Int
    ) async throws {
        let bench = RenewalBench(
            program: program, folder: folder, seconds: seconds, rounds: isTrial(seconds) ? 1 : 3)
        let table = Series.table(try await bench.run())
        print()
        print(table)
        guard !isTrial(seconds) else { return }
        try Report.write(
            table, as: "renewals", "10,000 subscriptions, median of three rounds",
            into: URL(fileURLWithPath: "README.md"))
    }

    /// Whether the code is tried, and not the store: one round, and no table for the page.
    private static func isTrial(_ seconds: Int) -> Bool { seconds < 3 }

    private static func measureScale(program: String, folder: URL, seconds: Int) async throws {
        let only = ProcessInfo.processInfo.environment["SCALE_DATABASE"]
        let bench = try ScaleBench(
            program: program, folder: folder, seconds: seconds, rounds: isTrial(seconds) ? 1 : 3,
            only: only)
        let table = try await bench.run()
        print()
        print(table)
        // Half of a table is none.
        guard !isTrial(seconds), only == nil else { return }
        try Report.write(
            table, as: "scale",
            "\(seconds) seconds each, medians of three rounds, times in milliseconds",
            into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureGrowth(program: String, folder: URL) async throws {
        let most =
            ProcessInfo.processInfo.environment["GROWTH_ROWS"].flatMap { Int($0) }
            ?? GrowthBench.most
        let table = try await GrowthBench(program: program, folder: folder, most: most).run()
        print()
        print(table)
        // Fewer rows try the code.
        guard most >= GrowthBench.most else { return }
        try Report.write(
            table, as: "growth", "medians of five rounds of 400 requests, rows of the ledger",
            into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureAlternatives(
        program: String, folder: URL, seconds: Int
    ) async throws {
        guard let python = ProcessInfo.processInfo.environment["OSCAR_PROGRAMS"] else {
            throw BenchFailure(
                "OSCAR_PROGRAMS has to name a folder with django-oscar; Scripts/bench.sh makes one")
        }
        let table = try await AlternativesBench(
            program: program, folder: folder, programs: URL(fileURLWithPath: python),
            project: URL(fileURLWithPath: "Alternatives/Oscar"), seconds: seconds,
            rounds: isTrial(seconds) ? 1 : 3
        ).run()
        print()
        print(table)
        guard !isTrial(seconds) else { return }
        try Report.write(
            table, as: "alternatives",
            "\(seconds) seconds each, medians of three rounds, times in milliseconds",
            into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureSoak(program: String, folder: URL) async throws {
        let environment = ProcessInfo.processInfo.environment
        let minutes = max(1, environment["SOAK_MINUTES"].flatMap { Int($0) } ?? 120)
        let isPostgres = environment["SOAK_DATABASE"] == "postgresql"
        let bench = SoakBench(
            program: program, folder: folder, minutes: minutes,
            minute: environment["SOAK_MINUTE"].flatMap { Int($0) } ?? 60, isPostgres: isPostgres)
        let (table, shortfalls) = try await bench.run()
        print()
        print(table)
        // Shorter minutes try the code.
        guard environment["SOAK_MINUTE"] == nil else { return }
        try Report.write(
            table, as: "soak",
            "\(isPostgres ? "PostgreSQL" : "SQLite"), \(minutes) minutes at half of "
                + "\(Int(bench.most).formatted()) requests per second",
            into: URL(fileURLWithPath: "README.md"))
        guard shortfalls.isEmpty else {
            throw BenchFailure(shortfalls.joined(separator: "; "))
        }
    }

    private static func measureConnect(program: String, folder: URL) throws {
        progress("apps with 100 and 10,000 products")
        let bench = try ConnectBench(program: program, folder: folder)
        defer { bench.stop() }
        let table = Figure.table(try bench.run())
        print()
        print(table)
        try Report.write(
            table, as: "connect", "medians of five rounds of 200 requests",
            into: URL(fileURLWithPath: "README.md"))
    }

    private static func measureContent(program: String, folder: URL) throws {
        let environment = ProcessInfo.processInfo.environment
        let bench = try ContentBench(
            program: program, apps: apps, folder: folder,
            megabytes: environment["CONTENT_MB"].flatMap { Int($0) } ?? 1000)
        defer { bench.remove() }
        let part = try environment["CONTENT_PART"].map { word in
            guard let part = ContentBench.Part(rawValue: word) else {
                throw BenchFailure("CONTENT_PART is packages, delivery or updates")
            }
            return part
        }
        let table = Figure.table(try bench.run(part.map { [$0] } ?? ContentBench.Part.allCases))
        print()
        print(table)
        // A part of the table is none.
        guard part == nil else { return }
        try Report.write(
            table, as: "content", "\(bench.megabytes) MB, medians of three rounds",
            into: URL(fileURLWithPath: "README.md"))
    }

    /// Where the built apps lie.
    private static var apps: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    }

    static func progress(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private static func measureClient(program: String, folder: URL) async throws {
        progress("launches, idle apps")
        var figures = try await withShop(program, folder) { shop in
            try ClientBench(apps: apps, shop: shop).run()
        }
        progress("restoring")
        // With those of every shop, as many as an app may have.
        let owned = 9_900
        figures += try await withShop(program, folder, owned: owned) { shop in
            try ClientBench.restore(owned, apps: apps, shop: shop)
        }
        progress("entitlements")
        figures += try await withShop(program, folder, owned: 1000) { shop in
            try EntitlementBench(apps: apps, shop: shop).run(1000)
        }
        progress("waiting devices")
        figures += try await withShop(program, folder) { try WaitingDevices(shop: $0).run(1000) }
        let table = Figure.table(figures)
        print()
        print(table)
        try Report.write(
            table, as: "client", "launches and requests as medians",
            into: URL(fileURLWithPath: "README.md"))
    }

    private static func withShop<Answer>(
        _ program: String, _ folder: URL, owned: Int = 0, _ body: (BenchShop) throws -> Answer
    ) async throws -> Answer {
        let shop = try await BenchShop(
            program: program, folder: folder, owned: owned)
        defer { shop.stop() }
        return try body(shop)
    }
}

/// A measurement and its baseline, a figure of each for every round.
struct Series {
    let name: String
    let unit: String
    let aim: Double
    var values: [Double] = []
    var baselines: [Double] = []

    init(_ name: String, unit: String, aim: Double) {
        self.name = name
        self.unit = unit
        self.aim = aim
    }

    var ratio: Double { Self.median(zip(values, baselines).map { $0 / $1 }) }

    static func table(_ series: [Series]) -> String {
        var text = "| what | store | baseline | unit | ratio | aim |\n"
        text += "|---|---:|---:|---|---:|---:|\n"
        for row in series {
            let value = Int(median(row.values).rounded()).formatted()
            let baseline = Int(median(row.baselines).rounded()).formatted()
            let ratio = String(format: "%.2f", row.ratio)
            text += "| \(row.name) | \(value) | \(baseline) | \(row.unit) | \(ratio) "
            text += "| \(row.aim) |\n"
        }
        return text
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }
}

/// Puts a table into the README, between its two marks.
enum Report {
    static func write(
        _ table: String, as mark: String, _ method: String, into file: URL
    ) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let from = text.range(of: "<!-- \(mark) -->\n"),
            let to = text.range(of: "<!-- end \(mark) -->")
        else { return }
        let date = Date().formatted(.iso8601.year().month().day())
        let note = "\(date), \(machine()), \(method):\n\n"
        try (text[..<from.upperBound] + note + table + text[to.lowerBound...])
            .write(to: file, atomically: true, encoding: .utf8)
    }

    /// What the figures were measured on.
    private static func machine() -> String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let processor =
            (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        return "\(cores) cores" + (processor.map { " (\($0))" } ?? "")
    }
}
