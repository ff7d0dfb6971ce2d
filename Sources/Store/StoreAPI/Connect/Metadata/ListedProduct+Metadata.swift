import StoreCore
import StoreModel
import StoreMetadata

extension ListedProduct {
    /// What a metadata file says of a product.
    init(_ product: MetadataProduct) {
        self.init(
            productID: product.productID, type: product.type, referenceName: product.referenceName,
            reviewNote: product.reviewNotes,
            texts: product.texts.map { texts in
                Dictionary(
                    texts.map {
                        ($0.locale, ProductText(title: $0.title, description: $0.description))
                    }, uniquingKeysWith: { first, _ in first })
            },
            prices: ListedPrices(product.territories),
            availability: Availability(product.territories), line: product.lines.product,
            lines: Self.lines(product.lines))
    }

    private static func lines(_ lines: MetadataLines) -> [Field: Int] {
        let names: [(Field, String)] = [
            (.productID, "product_id"), (.type, "type"), (.name, "reference_name"),
            (.reviewNote, "review_notes"), (.texts, "locales"), (.prices, "products"),
            (.availability, "products"),
        ]
        var fields: [Field: Int] = [:]
        for (field, name) in names { fields[field] = lines.elements[name] }
        for (locale, line) in lines.locales { fields[.text(locale: locale)] = line }
        return fields
    }
}

extension ListedPrices {
    /// Nil where no territory has a price.
    fileprivate init?(_ territories: [MetadataTerritory]) {
        guard territories.contains(where: { !$0.prices.isEmpty }) else { return nil }
        var world: [Span] = []
        var single: [String: [Span]] = [:]
        for territory in territories where !territory.prices.isEmpty {
            let spans = territory.prices.map {
                Span(tier: $0.tier, start: $0.start?.beginning, end: $0.end?.beginning)
            }
            if let storefront = territory.storefront {
                single[storefront.code] = spans
            } else {
                world = spans
            }
        }
        self.init(world: world, territories: single)
    }
}

extension Availability {
    /// Nil where no territory is listed.
    fileprivate init?(_ territories: [MetadataTerritory]) {
        guard !territories.isEmpty else { return nil }
        let world = territories.first { $0.storefront == nil }
        let isEverywhere = world?.isClearedForSale ?? false
        let exceptions = territories.filter { $0.isClearedForSale != isEverywhere }
            .compactMap { $0.storefront?.code }
        self =
            isEverywhere
            ? .everywhere(except: Set(exceptions)) : .only(Set(exceptions))
    }
}
