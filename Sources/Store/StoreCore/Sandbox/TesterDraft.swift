import Foundation
import StoreModel

/// What a publisher makes a tester of.
package struct TesterDraft: Sendable, Hashable {
    /// Whose tester; nil for the team acted for.
    package var team: Int64?
    /// Empty where nobody says it, as the last name.
    package var firstName: String
    package var lastName: String
    package var email: String
    package var password: String
    /// Empty where there is none; then there is no answer either.
    package var secretQuestion: String
    /// Kept as a hash, as the password is.
    package var secretAnswer: String
    package var territory: Storefront

    package init(
        team: Int64? = nil, firstName: String, lastName: String, email: String, password: String,
        secretQuestion: String, secretAnswer: String, territory: Storefront
    ) {
        self.team = team
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.password = password
        self.secretQuestion = secretQuestion
        self.secretAnswer = secretAnswer
        self.territory = territory
    }
}

/// What is kept about a tester beside the account.
package struct TesterProfile: Sendable, Hashable {
    package var team: Int64
    package var firstName: String
    package var lastName: String
    package var secret: Secret?

    /// A question to which only the tester knows the answer.
    package struct Secret: Sendable, Hashable {
        package var question: String
        package var answerHash: String
    }
}

/// Who approves what a tester buys.
package enum GuardianChoice: Sendable, Hashable {
    /// Whoever has the address of the page.
    case nobody
    /// Another tester.
    case tester(AccountID)
}

/// What is to be changed about a tester; nil stays as it is.
package struct TesterChange: Sendable, Hashable {
    package var territory: Storefront?
    package var renewalRate: SubscriptionRenewalRate?
    package var interruptsPurchases: Bool?
    package var asksToBuy: Bool?
    package var paymentFailure: PaymentFailure?
    package var guardian: GuardianChoice?

    package init(
        territory: Storefront? = nil, renewalRate: SubscriptionRenewalRate? = nil,
        interruptsPurchases: Bool? = nil, asksToBuy: Bool? = nil,
        paymentFailure: PaymentFailure? = nil, guardian: GuardianChoice? = nil
    ) {
        self.guardian = guardian
        self.territory = territory
        self.renewalRate = renewalRate
        self.interruptsPurchases = interruptsPurchases
        self.asksToBuy = asksToBuy
        self.paymentFailure = paymentFailure
    }

    /// The settings with what is to be changed about them.
    package func applied(to settings: AccountSettings) -> AccountSettings {
        var settings = settings
        settings.interruptsPurchases = interruptsPurchases ?? settings.interruptsPurchases
        settings.asksToBuy = asksToBuy ?? settings.asksToBuy
        settings.paymentFailure = paymentFailure ?? settings.paymentFailure
        switch guardian {
        case nil: break
        case .nobody?: settings.guardian = nil
        case .tester(let account)?: settings.guardian = account
        }
        return settings
    }
}

extension Tester {
    /// What can be changed about the tester, for the audit log.
    package var changeable: String {
        [
            "territory \(territory.code)", renewalRate.rawValue,
            "interrupted purchases \(settings.interruptsPurchases ? "on" : "off")",
            "Ask to Buy \(settings.asksToBuy ? "on" : "off")",
            "declined payments \(settings.paymentFailure.rawValue)",
            "guardian \(settings.guardian.map { String($0.number) } ?? "none")",
        ].joined(separator: ", ")
    }
}
