import Foundation

/// What the attributes of an app may be.
package enum AppRules {
    package static func name(_ text: String) throws -> String {
        try ConnectText.checked(text, field: "name", name: "app's name", in: 2...30)
    }

    /// The publisher's own number for an app.
    package static func sku(_ text: String) throws -> String {
        let text = try ConnectText.checked(text, field: "sku", name: "SKU", in: 1...100)
        let isWellFormed = text.utf8.enumerated().allSatisfy { position, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): position > 0
            default: false
            }
        }
        guard isWellFormed else {
            throw ConnectRefusal(
                .invalid, rule: "sku", field: "sku", "\(quoted(text)) is not a SKU.",
                help: "Use letters, digits, and behind the first one also - . and _.")
        }
        return text
    }

    package static func locale(_ text: String) throws -> ConnectLocale {
        guard let locale = ConnectLocale(text) else {
            throw ConnectRefusal(
                .invalid, rule: "locale", field: "primaryLocale",
                "\(quoted(text)) is not a language of Connect.",
                help: "Use one of: \(ConnectLocale.all.map(\.text).joined(separator: ", ")).")
        }
        return locale
    }

    /// An address that the store calls or shows.
    package static func url(_ text: String, field: String) throws -> String {
        let text = try ConnectText.checked(text, field: field, name: "address", in: 1...2000)
        let url = URLComponents(string: text)
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host,
            scheme == "https" || scheme == "http", !host.isEmpty, url.user == nil,
            url.password == nil, url.fragment == nil
        else {
            throw ConnectRefusal(
                .invalid, rule: "url", field: field, "\(quoted(text)) is not an address.",
                help: "Give an address such as https://example.com/notifications, without a user "
                    + "name and a fragment.")
        }
        return text
    }
}
