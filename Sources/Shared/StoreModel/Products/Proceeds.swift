extension Money {
    /// What a publisher gets of a price: 70 %, rounded half up to the smallest unit of the
    /// currency.
    package var proceeds: Money {
        let unit: Int64 = Self.wholeCurrencies.contains(currency) ? 1000 : 10
        // Amounts are far below a tenth of what fits.
        let units = (thousandths * 7 + unit * 5) / (unit * 10)
        return Money(thousandths: units * unit, currency: currency)
    }

    /// Currencies without a smaller unit in use (ISO 4217's minor unit is 0).
    private static let wholeCurrencies: Set<String> = ["CLP", "JPY", "KRW", "VND"]
}
