import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreWire

/// `openstore catalog import`
enum CatalogImport: Command {
    static let spec = CommandSpec(
        words: ["catalog", "import"], summary: "Import products from a .storekit file.",
        discussion: """
            Reads Xcode's StoreKit configuration, versions 1.0 to 5.0. Everything is checked first;
            the catalog changes whole or not at all. The products can be bought in the sandbox at
            once, in production with --approve.
            """,
        arguments: [.init(name: "FILE.storekit", help: "The configuration.")],
        options: [
            .value(
                "content", "DIR",
                "Hosted content: DIR/<product identifier>/ with ContentInfo.plist and Contents/."),
            .value(
                "bundle-id", "ID",
                "The app; what the product identifiers begin with in common unless given."),
            .value("name", "NAME", "The name of the app."),
            .flag("approve", "Put the products on sale in production, without a review."),
            StoreOpening.option, StoreOpening.database,
            .json,
        ])

    private struct Result: Encodable {
        struct Item: Encodable {
            let productId: String
            let type: String
            let price: String?
            let contentVersion: String?
        }
        let bundleId: String
        let products: [Item]
        let warnings: [String]
    }

    /// What a file of Xcode's StoreKit configuration holds.
    ///
    /// - Throws: `UsageError` for one that can't be read.
    static func configuration(in path: String) throws -> Data {
        let file = ParsedArguments.url(path)
        try InputFile.expect(file)
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            // One byte more than may be there: then it is refused as too large.
            return try handle.read(upToCount: StoreKitConfiguration.sizeLimit + 1) ?? Data()
        } catch {
            throw UsageError(
                description: "\(file.path) can't be read: \(error.localizedDescription)")
        }
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let data = try configuration(in: arguments.argument(0))
        let bundleID = try arguments.value("bundle-id", "a bundle identifier") { BundleID($0) }
        let report = try await StoreOpening.with(
            arguments, begins: true, remotely: "import the file with openstore product import"
        ) { store in
            try await store.importCatalog(
                configuration: data, content: arguments["content"].map(ParsedArguments.url),
                bundleID: bundleID, appName: arguments["name"],
                isApproved: arguments.has("approve"))
        }
        for warning in report.warnings { output.error("note: \(warning)") }
        let items = report.products.map { product in
            Result.Item(
                productId: product.productID.text, type: product.type.rawValue,
                price: product.prices.price(in: .unitedStates, at: report.date)?
                    .formatted(locale: "en_US"),
                contentVersion: report.contentVersions[product.productID]?.text)
        }
        if arguments.has("json") {
            try output.json(
                Result(
                    bundleId: report.app.bundleID.text, products: items,
                    warnings: report.warnings))
            return
        }
        output.line("Imported into \(report.app.bundleID):")
        var table = Table(["PRODUCT", "TYPE", "USA", "CONTENT"], rightAligned: [2])
        table.rows = items.map {
            [$0.productId, $0.type, $0.price ?? "-", $0.contentVersion ?? "-"]
        }
        output.write(table.text(on: output, indent: "  "))
    }
}
