import Foundation
import StoreModel
import StoreWire

/// An app of a store, as commands name it.
struct AppOnStore: Sendable {
    /// The numeric identifier.
    let id: String

    /// Finds an app by bundle identifier, number or name.
    static func named(_ text: String, _ api: ConnectAPI) async throws -> AppOnStore {
        AppOnStore(id: try await api.app(text).id)
    }

    /// Finds an app by its SKU.
    static func sku(_ sku: String, _ api: ConnectAPI) async throws -> AppOnStore {
        let apps = try await api.list("/v1/apps", ["filter[sku]": sku])
        // A SKU may hold a comma, which separates values of a filter.
        guard let app = apps.first(where: { $0.attribute("sku") == sku }) else {
            throw ConnectFailure.notFound(
                "There is no app with the SKU \"\(sku)\", or not for you.")
        }
        return AppOnStore(id: app.id)
    }

    /// Where our own API has something of the app.
    func path(_ what: String) -> String { "/openstore/v1/apps/\(id)/\(what)" }
}
