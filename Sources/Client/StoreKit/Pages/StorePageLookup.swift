import FoundationNetworking
import StoreKernel
import StoreModel
import StoreWire

/// Finds an app or another item with its page, by the store's search interface.
struct StorePageLookup: Sendable {
    let device: StoreDevice

    /// More than any item of the search interface has.
    private static let limit = 1 << 20

    /// What an answer depends on.
    struct ItemKey: Hashable, Sendable {
        let item: Int64
        let storefront: String
    }

    private struct Answer: Decodable {
        var results: [StoreItemAnswer]
    }

    /// What the storefront of the device tells about an item. An answer may be a minute old.
    ///
    /// - Throws: an error of the domain `OpenStoreErrorDomain` that says what the store lacks,
    ///   or `URLError`.
    func item(_ wanted: ProductPageParameters) async throws -> OpenStoreItem {
        try await item(wanted.item, in: storefront, referral: wanted.referral)
    }

    /// What a storefront tells about an item.
    func item(
        _ id: Int64, in storefront: StoreModel.Storefront, referral: ItemReferral
    ) async throws -> OpenStoreItem {
        let key = ItemKey(item: id, storefront: storefront.code)
        let answer = try await device.items.value(for: key) { () -> StoreItemAnswer in
            guard let found = try await self.answer(named: id, in: storefront) else {
                throw await reason(whyNot: id, in: storefront)
            }
            return found
        }
        guard let url = answer.url else {
            throw Self.problem("The store names no page for the item \(id).")
        }
        return OpenStoreItem(
            isSandbox: device.profile.payload.environment == .sandbox,
            identifier: answer.identifier ?? id,
            title: answer.title ?? url.absoluteString, seller: answer.seller,
            price: answer.price(in: storefront), rating: answer.rating?.stars,
            ratingCount: answer.rating?.count ?? 0, summary: answer.summary,
            needsApproval: device.noticeSession()?.asksToBuy ?? false,
            url: referral.added(to: url), referral: referral)
    }

    /// The item of a number; of an in-app purchase the app that it belongs to.
    private func answer(
        named id: Int64, in storefront: StoreModel.Storefront
    ) async throws -> StoreItemAnswer? {
        let number = String(id)
        let item = try await answer(URLQueryItem(name: "id", value: number), in: storefront)
        if let item { return item }
        return try await answer(
            URLQueryItem(name: "inAppPurchaseId", value: number), in: storefront)
    }

    /// The number and the page of the app that asks.
    func ownPage() async throws -> (item: Int64, page: OpenStorePage) {
        let name = device.profile.payload.bundleId.text
        guard
            let answer = try await answer(
                URLQueryItem(name: "bundleId", value: name), in: storefront)
        else {
            throw Self.problem(
                "The store has no page of the app \(name) in the storefront \(storefront.code).")
        }
        guard let url = answer.url, let item = answer.identifier else {
            throw Self.problem("The store names no page for the app \(name).")
        }
        return (item, OpenStorePage(title: answer.title ?? url.absoluteString, url: url))
    }

    /// The storefront of the account that is signed in, else the one that the store answered
    /// for last, else the one where an account is not known yet.
    var storefront: StoreModel.Storefront {
        device.storefront.flatMap { StoreModel.Storefront.named($0.countryCode) } ?? .unitedStates
    }

    private func answer(
        _ key: URLQueryItem, in storefront: StoreModel.Storefront
    ) async throws -> StoreItemAnswer? {
        // Pages, sales and reviews of an environment are its own, so its lookup is.
        let base = device.profile.payload.baseURL
        guard var address = URLComponents(string: base + "/lookup") else {
            throw Self.problem("The store's address \(base) is not a valid URL.")
        }
        address.queryItems = [
            key, URLQueryItem(name: "country", value: storefront.country.lowercased()),
        ]
        guard let url = address.url else {
            throw Self.problem("The store's address \(base) is not a valid URL.")
        }
        let (status, body) = try await device.client.publicAnswer(to: url, limit: Self.limit)
        guard status == 200 else {
            throw Self.problem(
                "The store answered to \(url.absoluteString) with the status \(status).")
        }
        do {
            return try JSONDecoder().decode(Answer.self, from: body).results.first
        } catch {
            throw Self.problem(
                "The store's answer to \(url.absoluteString) can't be read: \(error)")
        }
    }

    /// Why a lookup finds nothing: it does not say whether there is no such item or no such
    /// item in the storefront.
    private func reason(whyNot id: Int64, in storefront: StoreModel.Storefront) async -> NSError {
        do {
            try await device.client.checkItem(id, storefront: storefront.code)
        } catch let error as WireError
            where error.code == .itemUnknown || error.code == .itemNotInStorefront
        {
            return error.asNSError
        } catch {
            device.log("The store does not say why it has no item \(id): \(error)")
        }
        return Self.problem(
            "The store has nothing for the item \(id) in the storefront \(storefront.code).")
    }

    /// Why there is no page, for developers.
    static func problem(_ sentence: String) -> NSError {
        NSError(
            domain: storeAnswerErrorDomain, code: 3,
            userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
