/// The country's store that an account belongs to.
open class SKStorefront: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private let code: String
    private let number: String

    public override init() {
        code = ""
        number = ""
    }

    package init(countryCode: String, identifier: String) {
        code = countryCode
        number = identifier
    }

    /// The country, ISO 3166-1 alpha-3.
    open var countryCode: String { code }
    /// The storefront's number.
    open var identifier: String { number }
}
