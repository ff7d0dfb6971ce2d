import StoreModel

/// A prompt as its page shows it: everything comes from the catalog and the account,
/// nothing from the app's request.
package struct PromptQuestion: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case signIn
        /// - Parameter needsApproval: whether somebody else has to approve (Ask to Buy).
        case purchase(PromptProduct, quantity: Int, total: Money, needsApproval: Bool)
        case redemption
        case consent(PromptProduct, currentPrice: Money, newPrice: Money)
        /// An item, for somebody of a storefront who may not have signed in.
        case item(ItemID, Storefront)
    }

    package let environment: StoreEnvironment
    package let appName: String
    /// The address of the account that it is about; nil where that is open.
    package let account: String?
    /// The account's; the United States where that is open.
    package let storefront: Storefront
    package let subject: Subject

    package init(
        environment: StoreEnvironment, appName: String, account: String?,
        storefront: Storefront = .unitedStates, subject: Subject
    ) {
        self.environment = environment
        self.appName = appName
        self.account = account
        self.storefront = storefront
        self.subject = subject
    }
}

/// A product in the words of the storefront.
package struct PromptProduct: Sendable, Hashable {
    package let title: String
    package let description: String
    /// The locale that both are written in, for example `ja_JP`; nil where it is unknown.
    package let locale: String?
    /// How often a subscription renews; nil for what does not renew.
    package let renewal: SubscriptionPeriod?
    /// The path of the page on which a subscription is cancelled; `nil` for what does not renew.
    package let cancellationPath: String?
    /// When a purchase charges the account that is asked.
    package var charge = ChargeNotice.now

    package init(
        title: String, description: String, locale: String?, renewal: SubscriptionPeriod? = nil,
        cancellationPath: String? = nil
    ) {
        self.title = title
        self.description = description
        self.locale = locale
        self.renewal = renewal
        self.cancellationPath = cancellationPath
    }

    init(
        _ id: ProductID, _ product: Product?, in storefront: Storefront,
        environment: StoreEnvironment
    ) {
        guard let product else {
            self.init(title: id.text, description: "", locale: nil)
            return
        }
        let text = product.text(in: storefront, environment: environment)
        let texts = product.texts(in: environment)
        let locale =
            texts[storefront.locale] == text
            ? storefront.locale
            : texts.filter { $0.value == text }.keys.min()
        let isRenewed = product.details.type == .autoRenewableSubscription
        let links = StorefrontLinks(base: environment.pathPrefix)
        self.init(
            title: text.title, description: text.description, locale: locale,
            renewal: isRenewed ? product.details.subscription?.period : nil,
            cancellationPath: isRenewed ? links.subscriptions(in: storefront) : nil)
    }
}
