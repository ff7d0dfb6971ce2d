import StoreModel

/// What a package has to be beyond being a good one.
package struct PackageExpectation: Sendable, Hashable {
    /// The product that the content is for; nil for any.
    package var productID: ProductID?
    /// The version on sale, which the package's has to exceed; nil for none.
    package var newerThan: ContentVersion?
    /// The name that the publisher gave the file, which has to end in `.pkg`; nil where
    /// that does not matter.
    package var fileName: String?

    package init(
        productID: ProductID? = nil, newerThan: ContentVersion? = nil, fileName: String? = nil
    ) {
        self.productID = productID
        self.newerThan = newerThan
        self.fileName = fileName
    }

    /// Whether a package's name ends as it has to.
    package static func isPackageName(_ name: String) -> Bool {
        name.lowercased().hasSuffix(scalars: ".pkg") && name.utf8.count > 4
    }
}
