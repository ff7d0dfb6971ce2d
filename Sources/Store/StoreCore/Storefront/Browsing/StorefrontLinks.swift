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

    /// Where a customer signs in, and finds what they bought.
    package func account(in storefront: Storefront) -> String {
        "\(home(of: storefront))/account"
    }

    /// Where a customer changes and cancels subscriptions.
    package func subscriptions(in storefront: Storefront) -> String {
        "\(account(in: storefront))/subscriptions"
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
        var words = SearchText.words(title, limit: 200).map(\.text).joined(separator: "-")
        if words.utf8.count > 60 { words = String(words.prefix(60)) }
        let slug = segment(words)
        return slug.isEmpty ? "-" : slug
    }

    private static func segment(_ text: String) -> String {
        // Nearly all names are words of ASCII, and the library takes its time.
        if text.utf8.allSatisfy(isPlain) { return text }
        let safe = text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return safe == "." || safe == ".." ? "-" : safe
    }

    /// Whether a byte is of what stands as it is in an address, and of no path's dots.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
