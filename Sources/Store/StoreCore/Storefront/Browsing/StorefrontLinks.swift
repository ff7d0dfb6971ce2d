import Foundation
import StoreModel

/// Addresses of the storefront's pages, pictures and films.
package struct StorefrontLinks: Sendable, Hashable {
    /// Scheme and host, and the environment's prefix; no slash at the end.
    package let base: String

    package init(base: String) {
        self.base = base
    }

    package func page(of item: StorefrontItem) -> String {
        page(of: item.item, title: item.text.title, in: item.storefront)
    }

    package func page(of item: Item, title: String, in storefront: Storefront) -> String {
        let kind = item.details.kind.pathSegment
        return "\(home(of: storefront))/\(kind)/\(Self.slug(title))/id\(item.id)"
    }

    package func page(of artist: Artist, in storefront: Storefront) -> String {
        "\(home(of: storefront))/artist/\(Self.slug(artist.name))/id\(artist.id)"
    }

    /// A storefront's own page.
    package func home(of storefront: Storefront) -> String {
        "\(base)/\(storefront.country.lowercased())"
    }

    /// A picture that fits into a size; clients ask for others by writing other numbers.
    package func artwork(_ media: ItemMedia, width: Int, height: Int) -> String {
        let ending = media.mediaType == "image/jpeg" ? "jpg" : "png"
        return "\(base)/image/\(media.id.text)/\(width)x\(height)bb.\(ending)"
    }

    /// A sound, a film, or a picture as it was given.
    package func media(_ media: ItemMedia) -> String {
        "\(base)/media/\(media.id.text)/\(Self.segment(media.fileName))"
    }

    /// The readable part of a page's address: letters and digits of a title, small, with
    /// hyphens between words; what stands there changes nothing.
    package static func slug(_ title: String) -> String {
        let words = SearchText.words(title, limit: 200).map(\.text)
        let slug = segment(String(words.joined(separator: "-").prefix(60)))
        return slug.isEmpty ? "-" : slug
    }

    private static func segment(_ text: String) -> String {
        let safe = text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return safe == "." || safe == ".." ? "-" : safe
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
