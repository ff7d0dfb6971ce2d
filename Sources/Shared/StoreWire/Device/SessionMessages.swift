/// Body of `POST /device/v1/session`.
package struct SignInRequest: Codable, Sendable {
    package var email: String
    package var password: String

    package init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// A session of an account.
package struct SessionAnswer: Codable, Sendable, Hashable {
    /// What later requests carry as bearer token.
    package var token: String
    package var email: String
    /// Alpha-3 code and numeric identifier of the account's storefront.
    package var storefront: String
    package var storefrontId: String
    /// When the session ends by itself, milliseconds since 1970.
    package var expiresDate: Int64
    /// Whether somebody else approves what the account buys.
    package var asksToBuy: Bool?

    package init(
        token: String, email: String, storefront: String, storefrontId: String, expiresDate: Int64,
        asksToBuy: Bool? = nil
    ) {
        self.asksToBuy = asksToBuy
        self.token = token
        self.email = email
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.expiresDate = expiresDate
    }
}
