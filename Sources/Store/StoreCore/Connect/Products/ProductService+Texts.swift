import Foundation
import StoreModel

extension ProductService {
    /// Adds the texts of a language.
    ///
    /// - Parameter code: the language, spelled as in App Store Connect, for example `en-US`.
    package func addText(
        _ text: ProductText, locale code: String, to number: ProductNumber,
        by actor: ConnectActor
    ) async throws -> ProductRecord {
        let locale = try ProductDetailRules.locale(code)
        return try await changeText(of: number, by: actor, action: "text.create", locale) { known in
            guard known == nil else {
                throw ConnectRefusal(
                    .taken, rule: "localeTaken", field: "locale",
                    "The product has texts in \(ProductLocale.name(of: locale)).",
                    help: "Change these, or choose another language.")
            }
            return try ProductDetailRules.text(text)
        }
    }

    /// Changes the texts of a language; what is nil stays.
    ///
    /// - Parameter locale: as the store keeps it.
    package func updateText(
        title: String? = nil, description: String? = nil, locale: String,
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await changeText(of: number, by: actor, action: "text.update", locale) { known in
            guard let known else { throw Self.noText(locale, of: number) }
            return try ProductDetailRules.text(
                ProductText(
                    title: title ?? known.title, description: description ?? known.description))
        }
    }

    /// Takes the texts of a language away.
    ///
    /// - Parameter locale: as the store keeps it.
    package func deleteText(
        locale: String, of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await changeText(of: number, by: actor, action: "text.delete", locale) { known in
            guard known != nil else { throw Self.noText(locale, of: number) }
            return nil
        }
    }

    private static func noText(_ locale: String, of number: ProductNumber) -> ConnectRefusal {
        .notFound("text of product \(number) in", ProductLocale.code(of: locale))
    }

    /// - Parameter change: gives the new text for the one that there is; nil for none.
    private func changeText(
        of number: ProductNumber, by actor: ConnectActor, action: String, _ locale: String,
        _ change: @escaping @Sendable (ProductText?) throws -> ProductText?
    ) async throws -> ProductRecord {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            var product = try work.product(number)
            let known = product.record.product.details.texts[locale]
            let text = try change(known)
            guard text != known else { return product.record }
            var texts = product.record.product.details.texts
            texts[locale] = text
            try Self.checkTexts(texts, of: product.record)
            try product.beginTextEdit()
            try work.products.setText(text, locale: locale, of: number)
            try product.note(
                action, before: known.map { Self.words($0, locale) },
                after: text.map { Self.words($0, locale) })
            try product.settle()
            return product.record
        }
    }

    /// - Throws: `ConnectRefusal` with the rule `lastText` where nothing would be left of what
    ///   customers read.
    static func checkTexts(_ texts: [String: ProductText], of record: ProductRecord) throws {
        guard texts.isEmpty, record.product.wasOnSale else { return }
        throw ConnectRefusal(
            .state, rule: "lastText", field: "locale",
            "It is the only language in which the product has texts.",
            help: "Add another language first.")
    }

    private static func words(_ text: ProductText, _ locale: String) -> String {
        "\(ProductLocale.code(of: locale)): \(text.title); \(text.description)"
    }
}
