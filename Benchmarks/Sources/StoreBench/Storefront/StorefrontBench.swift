import Foundation

/// A shop of many items: how fast they are imported, found and shown, beside what does the least
/// that could be done for it.
struct StorefrontBench {
    private static let queries = 2000
    private static let rounds = 3

    let program: String
    let folder: URL
    /// How many items the largest shop has.
    let items: Int
    let seconds: Int

    private let generated = GeneratedItems()

    /// What one size of the shop was measured with.
    private struct Shop {
        let items: Int
        let importing: Double
        let inserting: Double
        let memory: Double
        let store: Latencies
        let direct: Latencies
        var postgres: Latencies?
        var pages: StorefrontPages.Result?
    }

    init(program: String, folder: URL, items: Int, seconds: Int) {
        self.program = program
        self.folder = folder
        self.items = items
        self.seconds = seconds
    }

    func run() throws -> [Figure] {
        let few = 10_000
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let small = try measure(few, isLargest: items <= few)
        let large = items > few ? try measure(items, isLargest: true) : small
        return figures(small, large)
    }

    private func measure(_ count: Int, isLargest: Bool) throws -> Shop {
        StoreBench.progress("a shop of \(count) items")
        let data = folder.appendingPathComponent("store-\(count)")
        let file = folder.appendingPathComponent("items-\(count).jsonl")
        try generated.write(0..<count, to: file)
        TimedRun.settle()
        let importing = try TimedRun(
            program, ["item", "import", file.path, "--data", data.path])
        StoreBench.progress("  imported in \(Int(importing.seconds)) s")
        let database = data.appendingPathComponent("store.sqlite")
        TimedRun.settle()
        let inserting = try ImportBaseline(store: database, folder: folder).run(items: count)
        StoreBench.progress("  inserted in \(Int(inserting)) s")

        let server = try StoreProcess(program: program, data: data.path)
        defer { server.stop() }
        let queries = generated.queries(Self.queries, among: count, seed: 99)
        let search = try StorefrontSearch(server.address)
        let direct = try DirectSearch(database)
        // The first time for all: pages of the file come into memory.
        for query in generated.queries(300, among: count, seed: 7) {
            try search.search(query)
            try direct.search(query)
        }
        var shop = Shop(
            items: count, importing: importing.seconds, inserting: inserting,
            memory: importing.peak,
            store: try Latencies(of: queries) { try search.search($0) },
            direct: try Latencies(of: queries) { try direct.search($0) })
        if isLargest {
            let postgres = try PostgresSearch(
                folder: folder.appendingPathComponent("postgres"), items: generated, count: count)
            defer { postgres.stop() }
            for query in generated.queries(300, among: count, seed: 7) {
                _ = try postgres.search(query)
            }
            shop.postgres = try Latencies(of: queries) { _ = try postgres.search($0) }
            let popular = generated.item(3)
            shop.pages = try StorefrontPages(
                program: program, folder: folder, data: data.path, server: server, item: popular
            ).run(rounds: Self.rounds, seconds: seconds)
        }
        return shop
    }

    private func figures(_ small: Shop, _ large: Shop) -> [Figure] {
        let size = large.items.formatted()
        func rate(_ seconds: Double) -> Double { Double(large.items) / seconds }
        var figures = [
            Figure(
                "Import of \(size) items, beside bare inserts of their rows",
                rate(large.importing), rate(large.inserting), "per second", aim: "0.5"),
            Figure("The importing command's peak of memory", large.memory, small.memory, "MiB"),
            Figure(
                "Search among \(size), p50, beside its FTS5 queries", large.store.median,
                large.direct.median, "ms", aim: "at most 1.5"),
            Figure("The same, p99", large.store.p99, large.direct.p99, "ms", aim: "at most 1.5"),
        ]
        if let postgres = large.postgres {
            figures += [
                Figure(
                    "Search, p50, beside PostgreSQL's full-text search", large.store.median,
                    postgres.median, "ms", aim: "below 1"),
                Figure("The same, p99", large.store.p99, postgres.p99, "ms", aim: "below 1"),
            ]
        }
        figures += [
            Figure(
                "Search, p50, beside \(small.items.formatted()) items", large.store.median,
                small.store.median, "ms"),
            Figure("The same, p99", large.store.p99, small.store.p99, "ms"),
        ]
        if let pages = large.pages {
            figures += [
                Figure(
                    "Product page, 32 clients, beside a constant answer of its size",
                    pages.pages, pages.constants, "per second", aim: "0.4"),
                Figure(
                    "From a change to the page that shows it, the longest of ten",
                    pages.delays.max() ?? 0, nil, "ms", aim: "below 1,000"),
            ]
        }
        return figures
    }
}
