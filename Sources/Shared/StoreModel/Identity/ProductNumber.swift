/// The numeric identifier of a product, which App Store Connect calls its Apple ID: unique in
/// the whole store, where a product identifier is unique within its app.
package struct ProductNumber: NumberIdentifier {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}
