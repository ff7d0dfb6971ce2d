/// An addition of OpenStoreKit: an item of the store that is shown to the customer, as its
/// storefront tells about it.
///
/// All texts come from publishers: a sheet that draws them has to take care that they can't
/// pass for its own.
public struct OpenStoreItem: Sendable, Hashable {
    /// Whether no money changes hands.
    public let isSandbox: Bool
    /// Its number in the store.
    public let identifier: Int64
    /// Its name.
    public let title: String
    /// Who sells it, or who made it; empty where the store does not say.
    public let seller: String
    /// What it costs, written in the storefront's locale; nil where it is not sold by itself.
    public let price: String?
    /// How customers rate it, from 1 to 5; nil where nobody has.
    public let rating: Double?
    /// How many ratings that is.
    public let ratingCount: Int
    /// What it is about, in several lines; empty where the store does not say.
    public let summary: String
    /// Whether somebody else approves what the signed-in account buys (Ask to Buy). That can't be
    /// asked for on the pages of items, so the store sells the account none.
    public let needsApproval: Bool
    /// The address of its page, with the tokens of the affiliate and the campaign.
    public let url: URL
    /// Who sent the customer.
    let referral: ItemReferral

    /// The item's page.
    public var page: OpenStorePage { OpenStorePage(title: title, url: url) }
}
