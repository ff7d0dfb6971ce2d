import StoreKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The store's search API: JSON that programs of all platforms read.
struct Catalog {
    /// One of the results.
    struct Item: Decodable {
        private let trackId: Int64?
        private let trackName: String?
        private let trackViewUrl: URL?
        private let collectionId: Int64?
        private let collectionName: String?
        private let collectionViewUrl: URL?
        let artistName: String?
        let kind: String?
        let formattedPrice: String?

        /// Albums and seasons are collections, everything else are tracks.
        var identifier: Int64? { trackId ?? collectionId }
        var name: String { trackName ?? collectionName ?? "" }
        var page: URL? { trackViewUrl ?? collectionViewUrl }
    }

    /// What is shown of a search.
    private static let limit = 9

    private let store: URL

    /// - Throws: `SKError` in a program without a usable profile, which has no store.
    init() throws {
        #if os(Linux)
            store = try OpenStore.address()
        #else
            store = URL(string: "https://itunes.apple.com")!
        #endif
    }

    /// - Throws: `URLError`, or what the store answers with instead of results.
    func items(matching words: String) async throws -> [Item] {
        struct Answer: Decodable { let results: [Item] }
        let (data, response) = try await URLSession.shared.data(from: address(of: words))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return try JSONDecoder().decode(Answer.self, from: data).results
            .filter { $0.identifier != nil }
    }

    private func address(of words: String) -> URL {
        store.appending(path: "search").appending(queryItems: [
            URLQueryItem(name: "term", value: words),
            URLQueryItem(name: "limit", value: String(Self.limit)),
        ])
    }
}
