import StoreDatabase
import StoreModel

extension RecordColumns {
    /// An amount: a column of thousandths and one of the currency, which several amounts may share.
    borrowing func money(
        _ amount: StaticString, _ currency: StaticString, _ property: KeyPath<Owner, Money>,
        _ role: ColumnRole = .plain
    ) throws -> Money {
        try pair(amount, currency, property, role) {
            ($0.thousandths, $0.currency)
        } value: {
            Money(thousandths: $0, currency: $1)
        }
    }
}
