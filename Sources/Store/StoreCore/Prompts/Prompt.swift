import Foundation
import StoreModel

/// The number of a prompt.
package typealias PromptID = ID<Prompt>

/// What a prompt asks. Texts are not in it: the page takes them from the catalog.
package enum PromptSubject: Sendable, Hashable {
    /// Who the customer is.
    ///
    /// - Parameter email: the account that it has to be; nil for any.
    case signIn(email: String?)
    /// Whether to buy so many of a product at this price for one, and with which offer, priced where
    /// the customer is.
    case confirm(ProductID, quantity: Int, price: Money, offer: SubscriptionOffer? = nil)
    /// Which offer code to redeem.
    case redeem
    /// Whether a higher price is agreed to.
    case consent(ProductID, currentPrice: Money, newPrice: Money)
    /// An item of the storefront to look at and to buy, and who sent the customer there.
    case item(ItemID, Referral)
}

/// What a customer answered.
package enum PromptDecision: Sendable, Hashable {
    /// To buy, or to agree.
    case yes
    /// Not to buy, not to agree, not to sign in, not to redeem.
    case no
    /// To answer another time.
    case later
    /// To look at an item no longer.
    case done
    /// The offer code as it was typed.
    case code(String)
    /// Signed in as this account.
    case signedIn(AccountID)
}

/// A question to be put.
package struct PromptDraft: Sendable, Hashable {
    package var environment: StoreEnvironment
    package var app: AppID
    /// Whose question it is; nil where the question is who the customer is, and where somebody
    /// looks at an item who is not signed in.
    package var account: AccountID?
    package var subject: PromptSubject
    /// The base URL that the app, and so its customer's browser, reaches the store at.
    package var address: String
    package var start: Date
    package var end: Date
}

/// A question that an app's device has put, for the customer to answer on a page of the
/// store.
package struct Prompt: Sendable, Hashable {
    /// How a prompt came to its end.
    package enum Ending: Sendable, Hashable {
        case decided(PromptDecision)
        /// The app waits no longer.
        case abandoned
        /// Too many wrong passwords.
        case exhausted
    }

    /// Where a prompt stands at a time.
    package enum State: Sendable, Hashable {
        case open
        case ended(Ending)
        /// Nobody answered in time.
        case expired
        /// The page was closed.
        case left
    }

    package let id: PromptID
    package let details: PromptDraft
    /// Passwords that were tried.
    package let attempts: Int
    /// Nil while there is none.
    package let ending: Ending?
    /// Whether the device has got its session.
    package let isCollected: Bool
    /// When the page counts as closed; nil while nothing speaks for that.
    package let absence: Date?

    package func state(at date: Date) -> State {
        if let ending { return .ended(ending) }
        if let absence, absence < details.end, date >= absence { return .left }
        return date < details.end ? .open : .expired
    }
}
