import Foundation
import StoreDatabase
import StoreModel

/// A customer (production) or a tester (sandbox).
package struct Account: Sendable, Hashable {
    package let id: AccountID
    package let environment: StoreEnvironment
    /// In lower case.
    package let email: String
    package let passwordHash: String
    package let storefront: Storefront
}

extension Account: Record {
    package static let table: StaticString = "account"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        environment = try column("environment", \.environment)
        email = try column("email", \.email)
        passwordHash = try column("password_hash", \.passwordHash)
        storefront = try column("storefront", \.storefront)
    }
}

/// An account that is signed in.
package struct Session: Sendable, Hashable {
    package let account: Account
    /// When it ends by itself.
    package let end: Date
}

extension Session: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column.part(\.account)
        end = try column("ends", \.end)
    }
}

/// An account to be added.
package struct AccountDraft: Sendable, Hashable {
    package var environment: StoreEnvironment
    package var email: String
    package var passwordHash: String
    package var storefront: Storefront
}

/// How an account buys.
package struct AccountSettings: Sendable, Hashable {
    /// Whether somebody else approves what it buys (Ask to Buy).
    package var asksToBuy: Bool = false
    /// Whether its purchases are interrupted, so that apps can be tested with it.
    package var interruptsPurchases: Bool = false
    /// The account, of the same environment, that approves what this one buys; nil where
    /// nobody is named.
    package var guardian: AccountID?
    /// What becomes of its payments; customers of the production store have `none`.
    package var paymentFailure: PaymentFailure = .none
}

extension AccountSettings: Record {
    package static let table: StaticString = "account_setting"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        asksToBuy = try column("asks_to_buy", \.asksToBuy)
        interruptsPurchases = try column("interrupts_purchases", \.interruptsPurchases)
        guardian = try column("guardian", \.guardian)
        paymentFailure = try column("payment_failure", \.paymentFailure)
    }
}

/// What the store refuses about accounts.
package enum AccountRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case emailMalformed(String)
    case emailTaken(String)
    /// A tester had it, who was deleted.
    case emailOfDeletedTester(String)
    case passwordLength
    case signInWrong
    /// The tester has become a customer of the production store.
    case testerConverted(String)
    /// It is a tester, whom signing in to the production store would make a customer: asked first.
    case wouldConvert(String)
    /// There were too many wrong passwords.
    case signInDelayed(SignInDelay)
    case unknown(String, StoreEnvironment)
    case guardianOfItself(String)
    case guardianElsewhere(StoreEnvironment)

    package var description: String {
        switch self {
        case .emailMalformed(let email):
            "\"\(email)\" is not an email address. Give one such as ada@example.com."
        case .emailTaken(let email):
            "There is an account with the address \(email) already. Choose another address."
        case .emailOfDeletedTester(let email):
            "\(email) was the address of a tester that is deleted, and can't be used again. Choose "
                + "another address."
        case .passwordLength: CustomerPassword.rule
        case .unknown(let email, let environment):
            "There is no account \(email) in \(environment.nameInSentence). Check the address and "
                + "the environment."
        case .guardianOfItself(let email):
            "\(email) can't be the guardian of itself. Name another account."
        case .guardianElsewhere(let environment):
            "The guardian of an account in \(environment.nameInSentence) has to be another account there. "
                + "Name one."
        case .testerConverted(let email):
            "\(email) was used to sign in to the production store and is a real account now; it is "
                + "no longer good for testing. Sign in with another tester."
        case .wouldConvert(let email):
            "\(email) is a tester. Signing in here makes it a customer of the production store for "
                + "good: it pays from then on, and tests no longer. Testers sign in to the sandbox, "
                + "whose pages begin with /sandbox."
        case .signInDelayed(let delay): delay.description
        case .signInWrong: "The email address or the password is wrong."
        }
    }
}
