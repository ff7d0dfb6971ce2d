import Foundation
import StoreModel
import StoreWire

/// An app of a store, as commands name it.
struct AppOnStore: Sendable {
    /// The numeric identifier.
    let id: String

    /// Finds an app by numeric identifier or bundle identifier.
    static func named(_ text: String, session: ConnectSession) async throws -> AppOnStore {
        if TransactionID(text) != nil { return AppOnStore(id: text) }
        guard let bundleID = BundleID(text) else {
            throw UsageError(
                description: "\"\(text)\" is neither a bundle identifier nor an app's number")
        }
        return try await find("bundleId", bundleID.text, session)
    }

    /// Finds an app by its SKU.
    static func sku(_ sku: String, session: ConnectSession) async throws -> AppOnStore {
        try await find("sku", sku, session)
    }

    private static func find(
        _ filter: String, _ value: String, _ session: ConnectSession
    ) async throws -> AppOnStore {
        let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let data = try await session.send(
            "GET", "/connect/v1/apps?filter%5B\(filter)%5D=\(encoded)")
        // A SKU may hold a comma, which separates values of a filter.
        let apps = try JSONValue(reading: data)["data"]?.elements ?? []
        let app = apps.first { $0["attributes"]?[filter]?.text == value }
        guard let id = app?["id"]?.text else {
            throw ConnectError(
                description:
                    "The store has no app with the \(filter) \(value), or not for this key.")
        }
        return AppOnStore(id: id)
    }

    /// Where our own API has something of the app.
    func path(_ what: String) -> String { "/connect/openstore/v1/apps/\(id)/\(what)" }
}
