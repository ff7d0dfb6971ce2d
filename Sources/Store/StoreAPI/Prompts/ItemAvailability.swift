import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// Whether a storefront has an item, for apps that want to show it.
struct ItemAvailability: Sendable {
    let services: APIServices

    /// Without a storefront, the one of the account.
    func answer(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        guard caller.profile.environment == caller.environment else {
            throw WireError.wrongEnvironment(of: caller.profile, in: caller.environment)
        }
        let text = request.parameters.first ?? ""
        guard let id = ItemID(text) else { throw Self.unknown(text) }
        let name = request.query.first { $0.name == "storefront" }?.value
        let storefront =
            if let name { Storefront.named(name) } else {
                caller.account?.storefront ?? .unitedStates
            }
        guard let storefront else {
            throw WireError(
                code: .malformedRequest,
                message: "storefront is the code of a country such as JPN, not \"\(name ?? "")\".")
        }
        try await require(id, in: storefront)
        return HTTPResponse(status: 204)
    }

    /// - Throws: `WireError` where the storefront does not sell the item.
    func require(_ id: ItemID, in storefront: Storefront) async throws {
        guard try await services.storefront.item(id, in: storefront) == nil else { return }
        let item = try await services.database.read { try $0.items.item(id) }
        guard let item, item.state == .onSale else { throw Self.unknown(id.description) }
        throw WireError(
            code: .itemNotInStorefront,
            message: "The item \(id) is not sold in the storefront \(storefront.code).")
    }

    static func unknown(_ id: String) -> WireError {
        WireError(
            code: .itemUnknown,
            message:
                "The store sells no item \"\(id)\"; its number stands behind id in the address "
                + "of its page.")
    }
}
