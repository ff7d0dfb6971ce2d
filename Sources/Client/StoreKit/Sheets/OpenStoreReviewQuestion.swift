import StoreWire

/// An addition of OpenStoreKit: what a customer is asked to review the app that they are in.
public struct OpenStoreReviewQuestion: Sendable, Hashable {
    /// Whether no money changes hands.
    public let isSandbox: Bool
    /// The app's name in the store.
    public let title: String
    /// The app's number in the store.
    public let itemIdentifier: Int64
    /// Why the last answer was not good; nil the first time.
    public var problem: String?
    /// The app's page.
    let page: OpenStorePage
    /// What the customer wrote before.
    var before: ReviewRequest?
}

/// An addition of OpenStoreKit: what a customer thinks of the app.
public struct OpenStoreReview: Sendable, Hashable {
    /// From 1 to 5.
    public let stars: Int
    /// Empty for none.
    public let title: String
    /// Empty where there are only stars.
    public let text: String
    /// The name that others see below it; may be empty where there are only stars.
    public let nickname: String

    /// What the customer answered.
    public init(stars: Int, title: String = "", text: String = "", nickname: String = "") {
        self.stars = stars
        self.title = title
        self.text = text
        self.nickname = nickname
    }
}
