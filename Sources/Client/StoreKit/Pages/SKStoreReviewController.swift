/// Asks the customer to rate the app.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    // Sendable: it holds nothing.

    public override init() {}

    /// Asks the customer for a review of the app, where it is fit to.
    ///
    /// Returns at once. ``OpenStore/sheet`` asks for stars, then for a title and a text, which may
    /// be left out, and the app is not left: in production three times in 365 days at most for
    /// each version of the app, in the sandbox always. The version is
    /// `CFBundleShortVersionString` of the app's `Info.plist`. Where the store has no page of the
    /// app, nothing is asked; the log says why.
    open class func requestReview() {
        Task { await openStoreRequestReview() }
    }

    /// An addition of OpenStoreKit: the same as `requestReview()`, for programs that go on when
    /// the customer has answered, such as those that share the terminal with it.
    public class func openStoreRequestReview() async {
        do {
            let prompts = ReviewPrompts(
                device: try .current(), version: BundleVersion.marketing, now: { Date() })
            await prompts.request()
        } catch {
            OpenStore.writeLog("No review was asked for: \(error.localizedDescription)")
        }
    }
}
