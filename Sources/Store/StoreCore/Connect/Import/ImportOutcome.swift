import StoreModel

/// What an import does to one product.
package struct ImportOutcome: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case added
        case changed
    }

    /// One attribute, for people.
    package struct Difference: Sendable, Hashable {
        /// Named as in the API, for example `name`, or `inAppPurchaseLocalizations/en-US`.
        package let field: String
        /// Nil where there was nothing.
        package let before: String?
        /// Nil where it is taken away.
        package let after: String?

        package init(_ field: String, before: String?, after: String?) {
            self.field = field
            self.before = before
            self.after = after
        }
    }

    package let line: Int?
    package let productID: ProductID
    package let kind: Kind
    package let differences: [Difference]
    /// The state that the product is in afterwards.
    package let state: ProductState
}

/// What an import has done, or would do.
package struct ImportCounts: Sendable, Hashable {
    package var added = 0
    package var changed = 0
    package var unchanged = 0

    package init(added: Int = 0, changed: Int = 0, unchanged: Int = 0) {
        self.added = added
        self.changed = changed
        self.unchanged = unchanged
    }
}

/// Why a file is not imported: nothing of it was.
package struct ImportRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// Something that a rule of the store refuses.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        package let line: Int?
        package let productID: ProductID?
        package let refusal: ConnectRefusal

        package init(line: Int?, productID: ProductID?, _ refusal: ConnectRefusal) {
            self.line = line
            self.productID = productID
            self.refusal = refusal
        }

        package var description: String {
            let place = [line.map { "line \($0)" }, productID?.text].compactMap { $0 }
            return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ")
                + refusal.description
        }
    }

    /// As many as are named.
    package static let limit = 100

    package let problems: [Problem]

    package init(_ problems: [Problem]) {
        self.problems = problems
    }

    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

/// A file that is imported: it is read from its beginning each time.
package protocol ProductListing: Sendable {
    func forEach(_ body: (ListedProduct) throws -> Void) throws
}

/// Hears what an import does, product by product.
package protocol ImportRecord: Sendable {
    /// Forgets what was told: the import begins, or begins again.
    func begin() throws
    func add(_ outcome: ImportOutcome) throws
}
