import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore content list`
enum ContentList: Command {
    static let spec = CommandSpec(
        words: ["content", "list"],
        summary: "Show an app's hosted content: versions, states, sizes, uploads.",
        options: [
            ContentSubject.app,
            .value("product", "ID", "Only this product."),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    private struct Item: Encodable {
        struct Version: Encodable {
            let version: String
            let state: String
            let message: String?
            let downloadBytes: Int64
            let unpackedBytes: Int64
            let created: Date
            let changed: Date
            let lastPermit: Date?
            let isRetired: Bool
        }
        struct Upload: Encodable {
            let uploadId: String
            let fileName: String
            let state: String
            let receivedBytes: Int64
            let fileBytes: Int64
            let processedBytes: Int64
            let version: String?
            let problems: [String]
            let changed: Date
        }
        let productId: String
        let state: String
        let isHosted: Bool
        let sandboxVersion: String?
        let productionVersion: String?
        let versions: [Version]
        let uploads: [Upload]
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let wanted = try arguments.value("product", "a product identifier") { ProductID($0) }
        let items = try await StoreOpening.with(arguments) { store in
            let app = try await ContentSubject.app(arguments, in: store)
            let products = try await products(of: app, only: wanted, in: store)
            var items: [Item] = []
            for (product, records) in products {
                let uploads = try await store.services.uploads.statuses(
                    of: .product(product.details.productID), in: app, team: nil, limit: 10)
                items.append(item(product, records, uploads))
            }
            return items
        }
        if arguments.has("json") { return try output.json(items) }
        guard !items.isEmpty else { return output.line("No product has hosted content.") }
        for item in items { write(item, on: output) }
    }

    /// Products that have anything to do with hosted content.
    private static func products(
        of app: BundleID, only wanted: ProductID?, in store: Store
    ) async throws -> [(Product, [ReleaseRecord])] {
        try await store.database.read { repositories in
            guard let app = try repositories.catalog.app(app) else {
                throw ContentRefusal.unknownApp(app)
            }
            if let wanted, try repositories.catalog.product(wanted, in: app.id) == nil {
                throw ContentRefusal.unknownProduct(wanted, app.bundleID)
            }
            return try repositories.catalog.products(of: app.id)
                .filter { product in
                    let id = product.details.productID
                    return wanted.map { $0 == id }
                        ?? (product.hostsContent || !product.releases.isEmpty)
                }
                .map { product in
                    (
                        product,
                        try repositories.content.records(
                            of: product.details.productID, in: app.id)
                    )
                }
        }
    }

    private static func item(
        _ product: Product, _ records: [ReleaseRecord], _ uploads: [UploadService.Status]
    ) -> Item {
        Item(
            productId: product.details.productID.text, state: product.details.state.rawValue,
            isHosted: product.hostsContent,
            sandboxVersion: product.currentRelease(in: .sandbox)?.version.text,
            productionVersion: product.details.state == .approved
                ? product.currentRelease(in: .production)?.version.text : nil,
            versions: records.map { record in
                Item.Version(
                    version: record.release.version.text, state: record.release.state.rawValue,
                    message: record.message, downloadBytes: record.release.downloadLength,
                    unpackedBytes: record.release.unpackedLength, created: record.created,
                    changed: record.changed, lastPermit: record.lastPermit,
                    isRetired: record.release.isRetired)
            },
            uploads: uploads.map { status in
                Item.Upload(
                    uploadId: status.upload.id.text, fileName: status.upload.fileName,
                    state: status.upload.state.rawValue, receivedBytes: status.receivedBytes,
                    fileBytes: status.upload.parts.size, processedBytes: status.upload.processed,
                    version: status.upload.version?.text,
                    problems: status.problems.map {
                        $0.path.isEmpty ? $0.advice : "\($0.path): \($0.advice)"
                    }, changed: status.upload.changed)
            })
    }

    private static func write(_ item: Item, on output: Output) {
        output.line(
            "\(output.styled(item.productId, .bold))  \(ContentUpload.name(of: item.state))"
                + (item.isHosted ? "" : "  (not hosted)"))
        if !item.versions.isEmpty {
            var table = Table(
                ["VERSION", "STATE", "DOWNLOAD", "UNPACKED", "SINCE", "DELIVERED IN"],
                rightAligned: [2, 3])
            table.rows = item.versions.map { version in
                let places = [
                    item.productionVersion == version.version ? "production" : nil,
                    item.sandboxVersion == version.version ? "sandbox" : nil,
                ].compactMap { $0 }.joined(separator: ", ")
                return [
                    version.version,
                    version.isRetired ? "Given up" : ContentUpload.name(of: version.state),
                    formattedBytes(version.downloadBytes), formattedBytes(version.unpackedBytes),
                    version.changed.formatted(.iso8601), places.isEmpty ? "-" : places,
                ]
            }
            output.write(table.text(on: output, indent: "  "))
        }
        for upload in item.uploads where upload.state != "COMPLETE" {
            output.line(
                "  upload \(upload.fileName): \(ContentUpload.name(of: upload.state)), "
                    + "\(formattedBytes(upload.receivedBytes)) of "
                    + "\(formattedBytes(upload.fileBytes))")
            for problem in upload.problems { output.line("    \(problem)") }
        }
    }
}
