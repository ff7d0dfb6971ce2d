/// The country's store that an account belongs to.
open class SKStorefront: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private var code = ""
    private var number = ""

    public override init() {}

    package convenience init(countryCode: String, identifier: String) {
        self.init()
        code = countryCode
        number = identifier
    }

    /// The country, ISO 3166-1 alpha-3.
    open var countryCode: String { code }
    /// The storefront's number.
    open var identifier: String { number }
}
