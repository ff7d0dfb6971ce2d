/// By what a list is sorted.
package struct ListOrder<Key: Sendable & Hashable>: Sendable, Hashable {
    package var key: Key
    package var isDescending: Bool

    package init(_ key: Key, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }
}

extension ListOrder where Key: RawRepresentable<String> {
    /// As `sort` of the API says it: a name, with a minus where the greatest comes first.
    ///
    /// - Parameter text: nil for the usual order.
    package init(_ text: String?, otherwise usual: Key) {
        let isDescending = text?.hasPrefix(scalars: "-") == true
        let name = text.map { String($0.drop { $0 == "-" }) }
        self.init(
            name.flatMap { Key(rawValue: $0) } ?? usual, isDescending: isDescending)
    }
}
