/// Asks the customer to rate the app.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    // Sendable: it holds nothing.

    public override init() {}

    /// Asks the customer for a review of the app, where it is fit to.
    ///
    /// Returns at once. The store's page of the app is shown by ``OpenStore/sheet``: in
    /// production three times in 365 days at most, in the sandbox always. Where the store has
    /// no page of the app, nothing is shown; the log says why.
    open class func requestReview() {
        Task {
            do {
                await ReviewPrompts(device: try .current(), now: { Date() }).request()
            } catch {
                OpenStore.writeLog("No review was asked for: \(error.localizedDescription)")
            }
        }
    }
}
