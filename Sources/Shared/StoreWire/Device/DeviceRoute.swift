/// The paths of the client framework, below the environment's base URL, and the
/// headers that its requests carry.
package enum DeviceRoute {
    /// `POST`: sign in. `DELETE`: sign out.
    package static let session = "/device/v1/session"
    /// `POST`: what the store knows of some product identifiers.
    package static let products = "/device/v1/products"
    /// `POST`: when a purchase of a product would charge the account.
    package static let quotes = "/device/v1/quotes"
    /// `POST`: buy, under a purchase key.
    package static let purchases = "/device/v1/purchases"
    /// `GET`: the device's transactions that it has not finished.
    package static let unfinished = "/device/v1/transactions/unfinished"
    /// `POST`: restore what the account owns, under a key.
    package static let restores = "/device/v1/restores"
    /// `POST`: the app receipt of the account on the device.
    package static let receipt = "/device/v1/receipt"

    /// `POST`: a page of the account's transactions that have changed.
    package static let history = "/device/v1/history"
    /// `GET`: how the account's subscriptions stand.
    package static let subscriptions = "/device/v1/subscriptions"
    /// `GET`: the signed statement that the account has the app.
    package static let appTransaction = "/device/v1/app-transaction"

    /// `GET`: what the account's devices should know, as soon as there is something.
    package static let events = "/device/v1/events"
    /// `POST`: redeem an offer code.
    package static let redemptions = "/device/v1/redemptions"
    /// The longest that a request waits, for events or for the answer to a prompt, seconds. Proxies tend
    /// to close what is silent for a minute.
    package static let longestWait = 45

    /// `POST`: answer a question about a price.
    package static func consent(_ id: Int64) -> String { "/device/v1/consents/\(id)" }

    /// `GET`: whether a storefront, by its alpha-3 code, has an item; why not, where it has not.
    package static func item(_ id: Int64, storefront: String) -> String {
        "/device/v1/items/\(id)?storefront=\(storefront)"
    }

    /// `POST`: have the customer asked on a page of the store.
    package static let prompts = "/device/v1/prompts"

    /// `GET`: how a prompt stands; with `wait`, in seconds, as soon as it has ended.
    /// `DELETE`: nobody waits for it any longer.
    package static func prompt(_ id: String) -> String { "/device/v1/prompts/\(id)" }

    /// `POST`: finish a transaction.
    package static func finish(_ transaction: String) -> String {
        "/device/v1/transactions/\(transaction)/finish"
    }

    /// `POST`: the receipt of a transaction, in the form from before app receipts.
    package static func receipt(of transaction: String) -> String {
        "/device/v1/transactions/\(transaction)/receipt"
    }

    /// `POST`: ask for the money of a transaction back.
    package static func refundRequests(_ transaction: String) -> String {
        "/device/v1/transactions/\(transaction)/refund-requests"
    }

    /// `POST`: be allowed to download a transaction's content.
    package static func downloads(_ transaction: String) -> String {
        "/device/v1/transactions/\(transaction)/downloads"
    }

    /// `POST`: go on with a download by its token, without a session.
    package static let renewal = "/device/v1/downloads/renewal"

    /// `GET`: bytes by their digest, with a grant and, if wanted, a range.
    package static func content(_ digest: String) -> String { "/content/\(digest)" }

    /// The app's provisioning profile as it stands in its file, or `sha256:` and the
    /// hexadecimal SHA-256 of that text, which is enough once the store has seen it. Where
    /// it has not, or not since its start, it answers `profileUnknown`.
    package static let profileHeader = "OpenStore-Profile"
    /// What stands before the digest of a profile.
    package static let profileDigestPrefix = "sha256:"
    /// The identifier of the device, made at random when the framework first ran there.
    package static let deviceHeader = "OpenStore-Device"
    /// The locale that texts of products are wanted in, in place of the storefront's, such as
    /// `de_DE`.
    package static let localeHeader = "OpenStore-Locale"
    /// The secret that a prompt came with.
    package static let promptHeader = "OpenStore-Prompt"
    /// The grant that a download came with.
    package static let grantHeader = "OpenStore-Grant"
}
