import Foundation

/// A line of an import: the fields of the search API's results, and a few of ours.
///
/// Fields that mean nothing to an import, such as addresses of artwork, are passed over.
package struct ListedItem: Sendable, Decodable {
    package var wrapperType: String?
    package var kind: String?
    package var collectionType: String?
    package var artistType: String?
    package var trackId: ListedNumber?
    package var collectionId: ListedNumber?
    package var artistId: ListedNumber?
    package var trackName: String?
    package var collectionName: String?
    package var artistName: String?
    package var collectionArtistId: ListedNumber?
    package var collectionArtistName: String?
    package var description: String?
    package var longDescription: String?
    package var shortDescription: String?
    package var releaseNotes: String?
    package var price: Double?
    package var trackPrice: Double?
    package var collectionPrice: Double?
    package var trackRentalPrice: Double?
    package var country: String?
    package var currency: String?
    package var releaseDate: String?
    package var primaryGenreName: String?
    package var primaryGenreId: ListedNumber?
    package var genreIds: [ListedNumber]?
    package var genres: [String]?
    package var trackExplicitness: String?
    package var collectionExplicitness: String?
    package var contentAdvisoryRating: String?
    package var trackContentRating: String?
    package var advisories: [String]?
    package var languageCodesISO2A: [String]?
    package var version: String?
    package var currentVersionReleaseDate: String?
    package var minimumOsVersion: String?
    package var supportedDevices: [String]?
    package var features: [String]?
    package var isGameCenterEnabled: Bool?
    package var isVppDeviceBasedLicensingEnabled: Bool?
    package var fileSizeBytes: ListedNumber?
    package var trackTimeMillis: ListedNumber?
    package var discNumber: ListedNumber?
    package var discCount: ListedNumber?
    package var trackNumber: ListedNumber?
    package var trackCount: ListedNumber?
    package var bundleId: String?
    package var upc: String?
    package var isbn: String?
    package var amgArtistId: ListedNumber?
    package var amgAlbumId: ListedNumber?
    package var amgVideoId: ListedNumber?
    package var sellerName: String?
    package var sellerUrl: String?
    package var copyright: String?
    package var feedUrl: String?
    package var hasITunesExtras: Bool?
    package var isStreamable: Bool?

    // Ours.
    package var subtitle: String?
    package var supportUrl: String?
    package var publisher: String?
    package var composer: String?
    package var director: String?
    package var producers: [String]?
    package var actors: [String]?
    package var keywords: [String]?
    package var isCompilation: Bool?
    /// `ON_SALE` unless it says `DRAFT` or `REMOVED`.
    package var state: String?
    /// The language of the texts above; American English unless given.
    package var locale: String?
    package var translations: [String: Translation]?
    package var priceTier: ListedNumber?
    /// By storefront, in its currency.
    package var prices: [String: Double]?
    package var rentalPrices: [String: Double]?
    package var storefronts: [String]?
    /// Files beside the import's file.
    package var artwork: String?
    package var screenshots: [String]?
    package var tabletScreenshots: [String]?
    package var previews: [String]?
    package var download: String?

    package struct Translation: Sendable, Decodable {
        package var title: String?
        package var subtitle: String?
        package var description: String?
        package var shortDescription: String?
        package var releaseNotes: String?
    }
}

/// A number, or one in quotes, as the search API has both.
package struct ListedNumber: Sendable, Hashable, Decodable {
    package let value: Int64

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            value = number
            return
        }
        guard let number = (try? container.decode(String.self)).flatMap({ Int64($0) }) else {
            throw DecodingError.typeMismatch(
                ListedNumber.self,
                DecodingError.Context(
                    codingPath: container.codingPath, debugDescription: "not a whole number"))
        }
        value = number
    }
}

extension ListedItem {
    /// Reads a line.
    ///
    /// - Throws: `ConnectRefusal` that says what is wrong with it.
    package init(line: Data) throws {
        do {
            self = try JSONDecoder().decode(ListedItem.self, from: line)
        } catch let error as DecodingError {
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: DecodingError) -> ConnectRefusal {
        let (context, problem): (DecodingError.Context, String)
        switch error {
        case .typeMismatch(let type, let found):
            (context, problem) = (found, "is not a \(name(of: type))")
        case .dataCorrupted(let found): (context, problem) = (found, "can't be read")
        case .valueNotFound(_, let found), .keyNotFound(_, let found):
            (context, problem) = (found, "is missing")
        @unknown default:
            return ItemRules.refusal(
                "json", "", "The line can't be read.", "Write one JSON object on each line.")
        }
        guard let field = context.codingPath.first?.stringValue else {
            return ItemRules.refusal(
                "json", "", "The line is not a JSON object.",
                "Write one JSON object on each line.")
        }
        return ItemRules.refusal(
            "json", field, "The value of \(quoted(field)) \(problem).",
            "Write it as the results of the search API do.")
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Double.Type: "number"
        case is ListedNumber.Type: "whole number"
        default: "list or object of the right form"
        }
    }
}
