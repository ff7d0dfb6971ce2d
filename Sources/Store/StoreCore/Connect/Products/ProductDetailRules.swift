import Foundation
import StoreModel

/// What the descriptions of products may be.
package enum ProductDetailRules {
    package static let referenceNameLength = 2...64
    /// App Store Connect's form takes 100 characters, the metadata specification 255: what was
    /// exported must come back.
    package static let productIDLength = 2...255
    /// Display names, as in App Store Connect and its metadata specification.
    package static let titleLength = 2...30
    /// App Store Connect has taken 45 or 255 over the years. The store has room for 255, and what
    /// was written for the higher limit must come in.
    package static let descriptionLength = 1...255
    package static let reviewNoteLimit = 4000

    /// - Throws: `ConnectRefusal` with the rules `productIDCharacters` or `productIDLength`.
    package static func productID(_ text: String) throws -> ProductID {
        guard productIDLength.contains(text.count) else {
            throw ConnectRefusal(
                .invalid, rule: "productIDLength", field: "productId",
                "A product identifier has 2 to 255 characters.",
                help: "Use something like com.example.app.coins.")
        }
        guard let id = ProductID(text) else {
            throw ConnectRefusal(
                .invalid, rule: "productIDCharacters", field: "productId",
                "A product identifier consists of letters and digits of ASCII, underscores, "
                    + "periods and hyphens.",
                help: "Use something like com.example.app.coins.")
        }
        return id
    }

    /// - Throws: `ConnectRefusal` with the rule `nameLength` or `nameCharacters`.
    package static func referenceName(_ text: String) throws -> String {
        try line(
            text, referenceNameLength, rule: "name", field: "name", "reference name")
    }

    /// - Throws: `ConnectRefusal` with the rules `titleLength`, `titleCharacters`,
    ///   `descriptionLength` or `descriptionCharacters`.
    package static func text(_ text: ProductText) throws -> ProductText {
        ProductText(
            title: try line(text.title, titleLength, rule: "title", field: "name", "display name"),
            description: try line(
                text.description, descriptionLength, rule: "description", field: "description",
                "description"))
    }

    /// - Throws: `ConnectRefusal` with the rule `reviewNoteLength`.
    package static func reviewNote(_ text: String) throws -> String {
        let rule = TextRule(
            length: 0...reviewNoteLimit, allowsLines: true, allowsBidirectionalControls: false)
        do {
            return try rule.checked(text)
        } catch .length, .empty {
            throw ConnectRefusal(
                .invalid, rule: "reviewNoteLength", field: "reviewNote",
                "The note for reviewers has more than \(reviewNoteLimit) characters.",
                help: "Shorten it.")
        } catch {
            throw controlCharacters("reviewNote", field: "reviewNote", "note for reviewers")
        }
    }

    /// - Throws: `ConnectRefusal` with the rule `familySharing`.
    package static func checkFamilySharing(
        _ isShareable: Bool, type: ProductType, earlier: Bool = false, wasOnSale: Bool = false
    ) throws {
        if isShareable, type == .consumable || type == .nonRenewingSubscription {
            throw ConnectRefusal(
                .invalid, rule: "familySharing", field: "familySharable",
                "Only non-consumable products and auto-renewable subscriptions can be shared "
                    + "with a family.",
                help: "Leave family sharing off.")
        }
        if earlier, !isShareable, wasOnSale {
            throw ConnectRefusal(
                .state, rule: "familySharingStays", field: "familySharable",
                "Families share what they bought: it can't be taken from them.",
                help: "Leave family sharing on, or make a new product.")
        }
    }

    /// How the store keeps a language.
    ///
    /// - Throws: `ConnectRefusal` with the rule `localeUnknown`.
    package static func locale(_ code: String) throws -> String {
        guard let stored = ProductLocale.stored(code) else {
            throw ConnectRefusal(
                .invalid, rule: "localeUnknown", field: "locale",
                "The store has no texts in the language \"\(code.prefix(40))\".",
                help: "Use one of: \(ProductLocale.all.map(\.code).joined(separator: ", ")).")
        }
        return stored
    }

    private static func line(
        _ text: String, _ range: ClosedRange<Int>, rule: String, field: String, _ name: String
    ) throws -> String {
        do {
            return try TextRule(length: range, allowsBidirectionalControls: false).checked(text)
        } catch {
            let count =
                switch error {
                case .empty: 0
                case .length(let count): count
                case .characters, .direction:
                    throw controlCharacters(rule, field: field, name)
                }
            throw ConnectRefusal(
                .invalid, rule: "\(rule)Length", field: field,
                "The \(name) has \(count) characters.",
                help: "Give it \(range.lowerBound) to \(range.upperBound).")
        }
    }

    private static func controlCharacters(
        _ rule: String, field: String, _ name: String
    ) -> ConnectRefusal {
        ConnectRefusal(
            .invalid, rule: "\(rule)Characters", field: field,
            "The \(name) contains characters that can't be shown.", help: "Take them out.")
    }
}
