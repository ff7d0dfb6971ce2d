import Foundation

/// Product pages of a running store beside a constant answer of the same size.
struct StorefrontPages {
    let program: String
    let folder: URL
    let data: String
    let server: StoreProcess
    let item: GeneratedItems.Item

    /// What was measured of pages.
    struct Result {
        let pages: [Double]
        let constants: [Double]
        /// Milliseconds from the end of a change to the first page that shows it.
        let delays: [Double]
    }

    func run(rounds: Int, seconds: Int) throws -> Result {
        let home = try text("/us/")
        guard let style = home.firstMatch(of: /href="([^"]*storefront[^"]*\.css|[^"]*\.css)"/)?.1
        else { throw BenchFailure("the home page has no style sheet") }
        let constant =
            URL(string: String(style), relativeTo: URL(string: server.address + "/us/"))?
            .absoluteString ?? ""
        let wanted = try get(constant).utf8.count
        try pad(to: wanted)
        let page = try address()
        let load = HTTPLoad(folder: folder, seconds: seconds)
        var pages: [Double] = []
        var constants: [Double] = []
        for _ in 0..<rounds {
            constants.append(
                try load.requests(to: constant, script: "", connections: 32).perSecond)
            pages.append(try load.requests(to: page, script: "", connections: 32).perSecond)
        }
        return Result(pages: pages, constants: constants, delays: try (0..<10).map(delay))
    }

    /// Gives the item a description with which its page is as large as the constant answer.
    private func pad(to size: Int) throws {
        try change(title: item.title, description: "Short.")
        let rest = size - (try get(try address())).utf8.count
        guard rest > 0 else {
            StoreBench.progress("the page is \(-rest) bytes larger than the constant answer")
            return
        }
        // Descriptions stand on a page more than once, cut or whole.
        try change(title: item.title, description: words(1000))
        let more = try get(try address()).utf8.count
        try change(title: item.title, description: words(2000))
        let most = try get(try address()).utf8.count
        let each = Double(most - more) / 1000
        try change(
            title: item.title,
            description: words(max(10, 1000 + Int(Double(size - more) / max(each, 0.5)))))
        let reached = try get(try address()).utf8.count
        StoreBench.progress("a page of \(reached) bytes beside a constant answer of \(size)")
    }

    private func words(_ count: Int) -> String {
        String(repeating: "Lorem ipsum ", count: count / 12 + 1).prefix(count) + "."
    }

    /// Imports a new title, and asks for the page until it shows it.
    private func delay(_ number: Int) throws -> Double {
        let title = "Changed \(number)"
        let url = try address()
        try change(title: title, description: "Short.")
        let start = ContinuousClock.now
        while true {
            if try get(url).contains(title) { break }
            guard ContinuousClock.now - start < .seconds(30) else {
                throw BenchFailure("the page does not change")
            }
        }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    private func change(title: String, description: String) throws {
        let file = folder.appendingPathComponent("change.jsonl")
        let changed = GeneratedItems.Item(
            number: item.number, kind: item.kind, title: title, artist: item.artist,
            artistNumber: item.artistNumber, genre: item.genre, description: description,
            price: item.price, year: item.year)
        try GeneratedItems.writeDownload(beside: file)
        try GeneratedItems.line(changed).write(to: file)
        try BenchShop.run(program, ["item", "import", file.path, "--data", data])
    }

    /// Where the item's page is now: its title is in it.
    private func address() throws -> String {
        let answer = try text("/lookup?id=\(item.number)&country=us")
        guard
            let url = answer.firstMatch(of: /"(?:trackViewUrl|collectionViewUrl)":\s*"([^"]*)"/)?.1
        else { throw BenchFailure("the item \(item.number) has no page: \(answer)") }
        return String(url).replacingOccurrences(of: "\\/", with: "/")
    }

    private func text(_ path: String) throws -> String { try get(server.address + path) }

    private func get(_ url: String) throws -> String {
        try BenchShop.run("/usr/bin/curl", ["-sfL", url])
    }
}
