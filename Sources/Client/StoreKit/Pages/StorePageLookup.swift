import FoundationNetworking

/// Finds the public page of an app or another item, by the store's search interface.
struct StorePageLookup: Sendable {
    let device: StoreDevice

    /// More than any item of the search interface has.
    private static let limit = 1 << 20

    private struct Answer: Decodable {
        struct Item: Decodable {
            var trackName: String?
            var trackViewUrl: String?
        }

        var results: [Item]
    }

    /// The page of an item.
    ///
    /// - Throws: an error of the domain `OpenStoreErrorDomain` that says what the store lacks,
    ///   or `URLError`.
    func page(itemID: Int64) async throws -> OpenStorePage {
        try await page(URLQueryItem(name: "id", value: String(itemID)))
    }

    /// The page of the app that asks.
    func ownPage() async throws -> OpenStorePage {
        try await page(
            URLQueryItem(name: "bundleId", value: device.profile.payload.bundleId.text))
    }

    /// The store's address without the environment: pages are the same in both.
    private var origin: String {
        let base = device.profile.payload.baseURL
        let mark = "/sandbox"
        return base.hasSuffix(mark) ? String(base.dropLast(mark.count)) : base
    }

    private func page(_ key: URLQueryItem) async throws -> OpenStorePage {
        guard var address = URLComponents(string: origin + "/lookup") else {
            throw Self.problem("The store's address \(origin) is not one.")
        }
        address.queryItems = [key]
        guard let url = address.url else {
            throw Self.problem("The store's address \(origin) is not one.")
        }
        let (status, body) = try await device.client.publicAnswer(to: url, limit: Self.limit)
        guard status == 200 else {
            throw Self.problem(
                "The store answered to \(url.absoluteString) with the status \(status).")
        }
        let answer: Answer
        do { answer = try JSONDecoder().decode(Answer.self, from: body) } catch {
            throw Self.problem(
                "The store's answer to \(url.absoluteString) can't be read: \(error)")
        }
        guard let item = answer.results.first else {
            throw Self.problem("The store has nothing for \(url.absoluteString).")
        }
        guard let text = item.trackViewUrl, let page = URL(string: text),
            page.scheme == "https" || page.scheme == "http", page.host?.isEmpty == false
        else {
            throw Self.problem("The store names no page for \(url.absoluteString).")
        }
        return OpenStorePage(title: item.trackName ?? page.absoluteString, url: page)
    }

    /// Why there is no page, for developers.
    static func problem(_ sentence: String) -> NSError {
        NSError(
            domain: storeAnswerErrorDomain, code: 3,
            userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
