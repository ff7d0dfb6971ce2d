import Foundation
import StoreModel
import StoreWire

/// An app of a store, as commands name it.
struct AppOnStore: Sendable {
    /// The numeric identifier.
    let id: String

    /// Finds an app by numeric identifier or bundle identifier.
    static func named(_ text: String, _ api: ConnectAPI) async throws -> AppOnStore {
        if TransactionID(text) != nil { return AppOnStore(id: text) }
        guard let bundleID = BundleID(text) else {
            throw UsageError(
                description: "\"\(text)\" is neither a bundle identifier nor an app's number")
        }
        return try await find("bundleId", bundleID.text, api)
    }

    /// Finds an app by its SKU.
    static func sku(_ sku: String, _ api: ConnectAPI) async throws -> AppOnStore {
        try await find("sku", sku, api)
    }

    private static func find(
        _ filter: String, _ value: String, _ api: ConnectAPI
    ) async throws -> AppOnStore {
        let apps = try await api.list("/v1/apps", ["filter[\(filter)]": value])
        // A SKU may hold a comma, which separates values of a filter.
        guard let app = apps.first(where: { $0.attribute(filter) == value }) else {
            throw CommandFailure(
                description: "there is no app with the \(filter) \(value), or not for you")
        }
        return AppOnStore(id: app.id)
    }

    /// Where our own API has something of the app.
    func path(_ what: String) -> String { "/openstore/v1/apps/\(id)/\(what)" }
}
