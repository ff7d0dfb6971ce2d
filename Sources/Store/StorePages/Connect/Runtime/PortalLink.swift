import Foundation
import StoreModel

/// Paths of the portal that more than one page refers to.
package enum PortalPath {
    package static let start = "/connect/"
    package static let signIn = "/connect/sign-in"
    package static let signOut = "/connect/sign-out"
    /// Where somebody chooses whom to act for.
    package static let choose = "/connect/team"
    /// The first operator's page; the one-time token follows.
    package static let first = "/connect/first"
}

/// A path with a query, encoded.
///
/// ```swift
/// PortalLink("/connect/apps", [("search", "Tom & Jerry")]).text
/// // /connect/apps?search=Tom%20%26%20Jerry
/// ```
package struct PortalLink: Sendable, Hashable {
    package let text: String

    /// - Parameters:
    ///   - path: not yet percent-encoded.
    ///   - query: empty values are left out.
    package init(_ path: String, _ query: [(name: String, value: String)] = []) {
        let pairs = query.filter { !$0.value.isEmpty }
            .map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }
        let address = path.addingPercentEncoding(withAllowedCharacters: Self.path) ?? "/"
        text = pairs.isEmpty ? address : "\(address)?\(pairs.joined(separator: "&"))"
    }

    package static func == (left: PortalLink, right: PortalLink) -> Bool {
        left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private static let path = CharacterSet(charactersIn: "/-._~$").union(alphanumerics)
    private static let alphanumerics = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? ""
    }

    /// A place that somebody asked for, where it lies in the portal; nil for any other, so
    /// that nobody is led elsewhere.
    static func own(_ text: String?) -> String? {
        guard let text, text.hasPrefix(scalars: PortalPath.start), text.utf8.count <= 2048,
            !text.contains(scalars: "//"), !text.contains(scalar: "\\"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return nil }
        return text
    }
}

extension PortalCall {
    /// This page with other values in its query; an empty value takes one away.
    package func link(changing changes: [(name: String, value: String)]) -> String {
        let kept = visit.request.query.filter { field in
            !changes.contains { $0.name == field.name }
        }
        return PortalLink(path, kept + changes).text
    }
}

extension HTML {
    /// A link within the portal.
    package static func link(_ path: String, _ text: String) -> HTML {
        .element("a", [.init("href", path)], text)
    }

    package static func link(_ path: String, _ content: [HTML]) -> HTML {
        .element("a", [.init("href", path)], content)
    }

    /// A link that looks like a button.
    ///
    /// - Parameter isMeant: whether it is what one mostly comes for.
    package static func buttonLink(
        _ path: String, _ text: String, isMeant: Bool = false
    ) -> HTML {
        .element(
            "a", [.init("class", isMeant ? "button primary" : "button"), .init("href", path)],
            text)
    }
}
