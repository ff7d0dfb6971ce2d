import StoreModel

/// What a file is uploaded for.
package enum UploadSubject: Sendable, Hashable {
    /// Content of a product of the app.
    case product(ProductID)
    /// A build of one of its versions.
    case build(AppBuildID)

    package var product: ProductID? {
        guard case .product(let id) = self else { return nil }
        return id
    }

    package var build: AppBuildID? {
        guard case .build(let id) = self else { return nil }
        return id
    }

    /// Why a file can't be meant for it by its name; `nil` if it can.
    package func refusal(ofFile name: String) -> UploadRefusal? {
        let isNamed =
            switch self {
            case .product: name.hasSuffix(scalars: ".pkg")
            case .build: AppPackageFormat(fileName: name) != nil
            }
        guard isNamed, (1...255).contains(name.utf8.count), !name.contains(scalar: "/"),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return .nameInvalid(endings: endings) }
        return nil
    }

    private var endings: String {
        switch self {
        case .product: ".pkg"
        case .build: AppPackageFormat.endings
        }
    }
}
