import Foundation

/// Import and export of 10,000 products as metadata XML, beside 1,000: how long they take, and
/// the most memory that store and command have meanwhile.
struct ProductMetadataBench {
    private struct Run {
        let importing: TimedRun
        let exporting: TimedRun
        /// Peaks of the store, MiB.
        let storeImporting: Double
        let storeExporting: Double
    }

    private static let rounds = 3

    let program: String
    let folder: URL
    /// The options of a command over the API.
    let options: [String]
    let server: StoreProcess
    let data: String

    func run(few: Int = 1000, many: Int = 10_000) throws -> [Figure] {
        StoreBench.progress("import and export of \(few) and \(many) products")
        var runs: [(few: Run, many: Run)] = []
        for round in 0..<Self.rounds {
            runs.append((try run(few, round), try run(many, round)))
        }
        func figure(
            _ name: String, _ unit: String, aim: String = "", _ value: (Run) -> Double
        ) -> Figure {
            Figure(name, runs.map { value($0.many) }, runs.map { value($0.few) }, unit, aim: aim)
        }
        let flat = "ratio below 1.2"
        return [
            figure("XML: import of new products", "s") { $0.importing.seconds },
            figure("XML: peak of the store", "MiB", aim: flat) { $0.storeImporting },
            figure("XML: peak of the command", "MiB", aim: flat) { $0.importing.peak },
            figure("XML: export", "s") { $0.exporting.seconds },
            figure("XML: peak of the store while it exports", "MiB", aim: flat) {
                $0.storeExporting
            },
            figure("XML: peak of the command while it exports", "MiB", aim: flat) {
                $0.exporting.peak
            },
        ]
    }

    /// Imports so many products into an app that has one, and exports them.
    private func run(_ count: Int, _ round: Int) throws -> Run {
        let bundle = "com.example.metadata\(count).round\(round)"
        let one = folder.appendingPathComponent("one.storekit")
        try ConnectBench.catalog(of: "metadata\(count).round\(round)", 1)
            .write(to: one, atomically: true, encoding: .utf8)
        try BenchShop.run(
            program, ["catalog", "import", one.path, "--bundle-id", bundle, "--data", data])
        let file = folder.appendingPathComponent("metadata.xml")
        try BenchShop.run(program, ["product", "export", bundle, file.path] + options)
        let empty = try String(contentsOf: file, encoding: .utf8)
        try Self.metadata(empty, bundle, count).write(to: file, atomically: true, encoding: .utf8)
        let output = folder.appendingPathComponent("exported.xml")
        TimedRun.settle()
        try ProcessMetrics.forgetPeak(server.id)
        let importing = try TimedRun(program, ["product", "import", file.path] + options)
        let storeImporting = try ProcessMetrics(server.id).peak
        try ProcessMetrics.forgetPeak(server.id)
        let exporting = try TimedRun(program, ["product", "export", bundle, output.path] + options)
        let storeExporting = try ProcessMetrics(server.id).peak
        let exported = try String(contentsOf: output, encoding: .utf8)
        let found = exported.components(separatedBy: "<in_app_purchase>").count - 1
        guard found == count else { throw BenchFailure("\(found) of \(count) were exported") }
        return Run(
            importing: importing, exporting: exporting, storeImporting: storeImporting,
            storeExporting: storeExporting)
    }

    /// An export with more products, each in two languages; all of them are so many.
    private static func metadata(_ empty: String, _ bundle: String, _ count: Int) -> String {
        let description = String(repeating: "A gem of great beauty. ", count: 10)
        let products = (1..<count).map { number in
            """
            <in_app_purchase><product_id>\(bundle).gem\(number)</product_id>
            <reference_name>Gem \(number)</reference_name><type>consumable</type>
            <products><product><territory>WW</territory><cleared_for_sale>true</cleared_for_sale>
            <wholesale_price_tier>\(number % 80 + 1)</wholesale_price_tier></product></products>
            <locales><locale name="en-US"><title>Gem \(number)</title>
            <description>\(description)</description></locale>
            <locale name="de-DE"><title>Stein \(number)</title>
            <description>\(description)</description></locale></locales>
            <review_notes>Tap Buy.</review_notes></in_app_purchase>
            """
        }
        return empty.replacingOccurrences(
            of: "</in_app_purchases>",
            with: products.joined(separator: "\n") + "</in_app_purchases>")
    }
}
