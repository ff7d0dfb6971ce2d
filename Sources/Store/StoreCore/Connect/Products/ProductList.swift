import Foundation
import StoreModel

/// Which of an app's products a list shows: those that fulfil everything that is said.
package struct ProductFilter: Sendable, Hashable {
    /// Identifiers, in any case as written.
    package var productIDs: [String]?
    /// Reference names, as written.
    package var names: [String]?
    package var states: [ProductState]?
    package var types: [ProductType]?
    /// A part of the identifier or of the reference name, in upper or lower case.
    package var search: String?

    package init(
        productIDs: [String]? = nil, names: [String]? = nil, states: [ProductState]? = nil,
        types: [ProductType]? = nil, search: String? = nil
    ) {
        self.productIDs = productIDs
        self.names = names
        self.states = states
        self.types = types
        self.search = search
    }
}

/// By what a list of products is sorted.
package struct ProductOrder: Sendable, Hashable {
    package enum Key: String, Sendable, Hashable, CaseIterable {
        case name
        case productID
        /// And within a type by name.
        case type
    }

    package var key: Key
    package var isDescending: Bool

    package init(_ key: Key = .name, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }
}

/// A page of products, with the way back too.
package struct ProductPage: Sendable {
    package let page: ListPage<ProductSummary>
    /// The cursor of the page before this one; nil on the first.
    package let previous: String?
}

extension ProductFilter {
    /// Whether a product fulfils it.
    package func includes(_ product: ProductSummary) -> Bool {
        (productIDs?.contains(product.productID.text) ?? true)
            && (names?.contains(product.referenceName) ?? true)
            && (states?.contains(product.state) ?? true)
            && (types?.contains(product.type) ?? true)
            && (search.map { search in
                [product.productID.text, product.referenceName].contains {
                    $0.range(of: search, options: .caseInsensitive) != nil
                }
            } ?? true)
    }
}
