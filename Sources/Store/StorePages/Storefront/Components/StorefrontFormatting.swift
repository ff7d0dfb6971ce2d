import Foundation
import StoreKernel
import StoreModel
import StoreTexts

/// Times, sizes and names as the pages for customers write them.
enum StorefrontFormatting {
    /// A price as the customers of a storefront write it; `Free` for nothing.
    static func price(
        _ money: Money, in storefront: Storefront, _ texts: Texts = .english
    ) -> String {
        guard money.thousandths != 0 else { return texts.freePrice }
        return prices.value(for: PriceKey(money: money, locale: storefront.locale)) {
            money.formatted(locale: storefront.locale)
        }
    }

    /// Most items cost one of a few amounts, and formatting takes longer than all else on a tile.
    private static let prices = Cache<PriceKey, String>(limit: 8192)

    private struct PriceKey: Hashable {
        let money: Money
        let locale: String
    }

    /// What a buyer reads where the store has no file of it.
    static func nothingToDownload(_ kind: ItemKind) -> String {
        switch kind {
        case .software, .macSoftware:
            "There is nothing to download here: apps are installed and opened on the device."
        case .podcast: "There is nothing to download here: its feed has the episodes."
        default: "There is no file to download yet."
        }
    }

    /// Of a song: minutes and seconds; of what is longer: hours and minutes.
    static func duration(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        let minutes = seconds / 60
        if minutes < 20 {
            let rest = seconds % 60
            return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
        }
        let hours = minutes / 60
        return hours == 0 ? "\(minutes) min" : "\(hours) h \(minutes % 60) min"
    }

    /// How long it lasts for programs (ISO 8601), `PT3M20S`.
    static func isoDuration(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        return "PT\(seconds / 3600)H\(seconds / 60 % 60)M\(seconds % 60)S"
    }

    /// `4.5`, with one digit.
    static func average(_ value: Double) -> String {
        let tenths = Int(clamping: (value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `1.2K` for a great count of ratings.
    static func count(_ count: Int) -> String {
        count.formatted(
            .number.notation(.compactName).locale(Locale(identifier: "en_US")))
    }
}

/// An address that a publisher gave.
enum OuterLink {
    /// The address, where a customer may be led there: `http` or `https` with a host.
    static func safe(_ text: String?) -> String? {
        guard let text, (8...2048).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            let url = URLComponents(string: text), let host = url.host, !host.isEmpty,
            ["http", "https"].contains(url.scheme?.lowercased()), url.user == nil
        else { return nil }
        return text
    }

    /// - Parameter id: what other pages name the link by.
    static func html(_ text: String?, _ title: String, id: String) -> HTML {
        guard let address = safe(text) else { return .nothing }
        return .element(
            "a",
            [
                .init("id", id), .init("href", address), .init("rel", "nofollow noopener"),
            ], title)
    }
}
