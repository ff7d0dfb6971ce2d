import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreMetadata
import StoreWire

/// The products of an app, written to disk a part at a time.
struct ProductExportFile {
    enum Format: String, CaseIterable {
        case xml
        case storekit
    }

    private let app: AppRecord
    private let actor: ConnectActor
    private let services: APIServices
    private let file: AnonymousFile
    /// How many products the format had no words for.
    private var leftOut = 0

    init(_ app: AppRecord, by actor: ConnectActor, _ services: APIServices) throws {
        self.app = app
        self.actor = actor
        self.services = services
        file = try AnonymousFile(in: FileManager.default.temporaryDirectory)
    }

    /// Writes all products.
    mutating func answer(_ format: Format) async throws -> HTTPResponse {
        let mediaType: String
        switch format {
        case .xml:
            try await writeMetadata()
            mediaType = "application/xml; charset=utf-8"
        case .storekit:
            try await writeConfiguration()
            mediaType = "application/json"
        }
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": mediaType, "Cache-Control": "no-store",
                "Content-Disposition": "attachment; filename=\"products.\(format.rawValue)\"",
                Self.leftOutHeader: String(leftOut),
            ], file: try file.slice())
    }

    /// Says how many products a file doesn't list, because its format can't.
    static let leftOutHeader = "OpenStore-Left-Out"

    private func forEach(
        _ types: [ProductType]? = nil, _ body: (ProductRecord) throws -> Void
    ) async throws {
        var export = ProductExport(of: app.app.id, types: types, by: actor)
        while let products = try await services.productExports.next(&export) {
            for product in products { try body(product) }
        }
    }

    private func writeMetadata() async throws {
        var writer = try ProductMetadataWriter(
            MetadataHeader(
                provider: nil, teamID: nil, vendorID: app.sku, appleID: app.app.id.number)
        ) { [file] in try file.append($0) }
        try await forEach { try writer.add(MetadataProduct($0)) }
        try writer.finish()
    }

    private mutating func writeConfiguration() async throws {
        let storefront = Storefront.unitedStates
        let now = services.clock.now()
        var writer = try StoreKitConfigurationWriter(
            storefront: storefront, locale: app.primaryLocale.catalogSpelling
        ) { [file] in try file.append($0) }
        var count = 0
        for (list, types) in [
            (
                StoreKitConfigurationWriter.List.nonRenewingSubscriptions,
                [ProductType.nonRenewingSubscription]
            ),
            (.products, [.consumable, .nonConsumable]),
        ] {
            try writer.begin(list)
            try await forEach(types) { record in
                guard let item = StoreKitConfiguration.Item(record, in: storefront, at: now) else {
                    count += 1
                    return
                }
                try writer.add(item)
            }
        }
        // Those of a group stand together: they are few.
        var subscriptions: [StoreKitConfiguration.Item] = []
        try await forEach([.autoRenewableSubscription]) { record in
            guard let item = StoreKitConfiguration.Item(record, in: storefront, at: now),
                item.subscription != nil
            else {
                count += 1
                return
            }
            subscriptions.append(item)
        }
        try writer.finish(subscriptions: subscriptions)
        leftOut = count
    }
}
