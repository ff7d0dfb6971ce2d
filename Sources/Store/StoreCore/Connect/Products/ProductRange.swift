import StoreModel

/// The products that a statement with `product_id BETWEEN ?2 AND ?3` is about: one, or all of an
/// app, by one index.
struct ProductRange {
    private let id: ProductID?

    init(_ id: ProductID?) {
        self.id = id
    }

    /// The parameters 1 to 3. Identifiers are ASCII, so all of them stand before the tilde.
    func values(in app: AppID) -> [SQLValue] {
        [.integer(app.number), .text(id?.text ?? ""), .text(id?.text ?? "~")]
    }
}

extension SQLRow {
    /// A price from five columns: territory, start, end, tier, thousandths.
    func priceEntry(from column: Int) -> PriceSchedule.Entry {
        PriceSchedule.Entry(
            territory: text(column),
            figure: optionalText(column + 3).map { .tier($0) } ?? .amount(integer(column + 4)),
            start: integer(column + 1) == 0 ? nil : date(column + 1),
            end: isNull(column + 2) ? nil : date(column + 2))
    }

    /// From two columns: whether it holds for new territories, and a list of territories.
    func availability(from column: Int) -> Availability {
        let listed = Set(text(column + 1).split(scalar: " ").map(String.init))
        return integer(column) == 1 ? .everywhere(except: listed) : .only(listed)
    }
}
