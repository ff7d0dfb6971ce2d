import StoreHTTP
import StoreModel

/// Who may call a route.
package enum RouteAccess: String, Sendable, Hashable, CaseIterable {
    /// Anyone who can reach the store.
    case anyone
    /// An app with a provisioning profile of this store.
    case app
    /// An app with a profile, on behalf of a signed-in account.
    case account
    /// A signed-in account, whichever program asks: no app's business, so without a profile.
    case customer
    /// Whoever holds a grant for these bytes.
    case grant
}

/// Every route of the device interface with who may call it, below each environment.
///
/// This is the only list: the router is made from it, and a test walks it.
package enum DeviceRouteTable {
    /// A request reached what does not answer it: answered as a failure of the store.
    struct WrongHandler: Error {}

    package struct Row: Sendable, Hashable {
        package let method: HTTPMethod
        package let pattern: String
        package let access: RouteAccess
        package let operation: DeviceOperation
    }

    package static let rows: [Row] = [
        Row(method: .post, pattern: "/device/v1/session", access: .app, operation: .signIn),
        Row(method: .delete, pattern: "/device/v1/session", access: .account, operation: .signOut),
        Row(method: .post, pattern: "/device/v1/products", access: .app, operation: .products),
        Row(method: .post, pattern: "/device/v1/quotes", access: .account, operation: .quote),
        Row(method: .post, pattern: "/device/v1/purchases", access: .account, operation: .purchase),
        Row(
            method: .get, pattern: "/device/v1/transactions/unfinished", access: .account,
            operation: .unfinished),
        Row(
            method: .post, pattern: "/device/v1/transactions/{id}/finish", access: .account,
            operation: .finish),
        Row(
            method: .post, pattern: "/device/v1/transactions/{id}/downloads", access: .account,
            operation: .download),
        Row(method: .post, pattern: "/device/v1/restores", access: .account, operation: .restore),
        Row(
            method: .post, pattern: "/device/v1/transactions/{id}/refund-requests",
            access: .account, operation: .requestRefund),
        Row(method: .post, pattern: "/device/v1/history", access: .account, operation: .history),
        Row(
            method: .get, pattern: "/device/v1/subscriptions", access: .account,
            operation: .subscriptions),
        Row(
            method: .get, pattern: "/device/v1/app-transaction", access: .account,
            operation: .appTransaction),
        Row(method: .get, pattern: "/device/v1/events", access: .account, operation: .events),
        Row(
            method: .post, pattern: "/device/v1/redemptions", access: .account,
            operation: .redeem),
        Row(
            method: .post, pattern: "/device/v1/consents/{id}", access: .account,
            operation: .consent),
        Row(method: .post, pattern: "/device/v1/receipt", access: .account, operation: .receipt),
        Row(
            method: .post, pattern: "/device/v1/transactions/{id}/receipt", access: .account,
            operation: .transactionReceipt),
        Row(method: .get, pattern: "/device/v1/items/{id}", access: .app, operation: .checkItem),
        Row(
            method: .get, pattern: "/device/v1/items/{id}/page", access: .app,
            operation: .itemPage),
        Row(
            method: .get, pattern: "/device/v1/items/{id}/reviews", access: .app,
            operation: .itemReviews),
        Row(
            method: .post, pattern: "/device/v1/items/{id}/sales", access: .account,
            operation: .buyItem),
        Row(
            method: .get, pattern: "/device/v1/items/{id}/file", access: .account,
            operation: .itemFile),
        Row(
            method: .post, pattern: "/device/v1/items/{id}/review", access: .account,
            operation: .writeReview),
        Row(
            method: .delete, pattern: "/device/v1/items/{id}/review", access: .account,
            operation: .removeReview),
        Row(
            method: .post, pattern: "/device/v1/reviews/{id}/votes", access: .account,
            operation: .voteOnReview),
        Row(method: .post, pattern: "/device/v1/prompts", access: .app, operation: .ask),
        Row(
            method: .get, pattern: "/device/v1/prompts/{id}", access: .app,
            operation: .awaitAnswer),
        Row(
            method: .delete, pattern: "/device/v1/prompts/{id}", access: .app,
            operation: .abandon),
        // The token in the body says what may be fetched.
        Row(
            method: .post, pattern: "/device/v1/downloads/renewal", access: .app,
            operation: .renewDownload),
        Row(method: .get, pattern: "/content/{digest}", access: .grant, operation: .content),
        Row(
            method: .post, pattern: "/device/v1/customer/session", access: .anyone,
            operation: .customerSignIn),
        Row(
            method: .delete, pattern: "/device/v1/customer/session", access: .customer,
            operation: .customerSignOut),
        Row(method: .get, pattern: "/device/v1/apps", access: .anyone, operation: .findApps),
        Row(method: .get, pattern: "/device/v1/apps/{id}", access: .anyone, operation: .showApp),
        Row(
            method: .post, pattern: "/device/v1/apps/{id}/purchase", access: .customer,
            operation: .buyApp),
        Row(
            method: .post, pattern: "/device/v1/apps/{id}/delivery", access: .customer,
            operation: .deliverApp),
    ]
}

/// What a route does.
package enum DeviceOperation: String, Sendable, Hashable, CaseIterable {
    case signIn
    case signOut
    case products
    case quote
    case purchase
    case unfinished
    case finish
    case download
    case renewDownload
    case restore
    case requestRefund
    case history
    case subscriptions
    case appTransaction
    case events
    case redeem
    case consent
    case receipt
    case transactionReceipt
    case checkItem
    case itemPage
    case itemReviews
    case buyItem
    case itemFile
    case writeReview
    case removeReview
    case voteOnReview
    case ask
    case awaitAnswer
    case abandon
    case content
    case customerSignIn
    case customerSignOut
    case findApps
    case showApp
    case buyApp
    case deliverApp
}
