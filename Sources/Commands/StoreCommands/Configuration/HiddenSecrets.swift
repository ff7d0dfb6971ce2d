import Foundation
import StoreModel

/// Takes from an address what nobody is to see.
enum HiddenSecrets {
    private static let mask = "***"
    /// Names of parameters whose values are secrets contain one of these.
    private static let words = [
        "password", "passwd", "secret", "token", "credential", "passphrase",
    ]

    /// The text as it can be shown: without the password before a host's name, and without the
    /// values of parameters that hold one.
    static func text(_ text: String) -> String {
        guard let scheme = text.range(scalars: "://") else { return text }
        var rest = text[scheme.upperBound...]
        var query: Substring?
        if let mark = rest.unicodeScalars.firstIndex(of: "?") {
            query = rest[rest.unicodeScalars.index(after: mark)...]
            rest = rest[..<mark]
        }
        // A password may hold a slash that nobody has escaped: the last @ is the one.
        var shown = String(rest)
        if let at = rest.unicodeScalars.lastIndex(of: "@") {
            let user = rest[..<at]
            if let colon = user.unicodeScalars.firstIndex(of: ":") {
                shown = user[..<colon] + ":" + mask + rest[at...]
            }
        }
        guard let query else { return text[..<scheme.upperBound] + shown }
        let items = query.split(scalar: "&", omittingEmptySubsequences: false).map { item in
            let name = item.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let isSecret = words.contains { name.lowercased().contains($0) }
            return isSecret ? "\(name)=\(mask)" : String(item)
        }
        return text[..<scheme.upperBound] + shown + "?" + items.joined(separator: "&")
    }
}
