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
        return isNamed && FileName.isValid(name) ? nil : .nameInvalid(endings: endings)
    }

    private var endings: String {
        switch self {
        case .product: ".pkg"
        case .build: AppPackageFormat.endings
        }
    }
}
