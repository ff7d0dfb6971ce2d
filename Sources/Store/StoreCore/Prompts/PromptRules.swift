import Foundation
import StoreModel

/// Why a prompt can't be answered so.
package enum PromptRefusal: Error, Sendable, Hashable {
    /// There is none of this name, or not for whoever asks.
    case unknown
    /// It has come to its end before.
    case notOpen
    /// The answer belongs to another kind of question.
    case wrongAnswer
    /// The customer has not shown who they are.
    case notProven
    /// The address or the password is wrong.
    case signInWrong
    /// There were too many wrong passwords; none is looked at for a while.
    case signInDelayed(SignInDelay)
    /// The tester has become a customer of the production store.
    case testerConverted(String)
    /// It is a tester, whom signing in would make a customer: asked first.
    case wouldConvert(String)
    /// Signed in as somebody whose question it is not.
    case otherAccount
    /// That was the last attempt: the prompt has ended.
    case exhausted
    /// What was typed can't be an offer code.
    case codeMalformed
}

/// The rules of prompts.
package enum PromptRules {
    /// How long a customer has to answer.
    package static let duration: TimeInterval = 15 * 60
    /// How long a customer may look at an item.
    package static let itemDuration: TimeInterval = 30 * 60
    /// How long what ended is kept, so that late readers learn how.
    package static let retention: TimeInterval = 24 * 3600
    /// So many wrong passwords end a prompt.
    package static let attemptLimit = 5
    /// The longest offer code, in bytes.
    package static let codeLimit = 64

    /// How long a prompt is open.
    package static func duration(of subject: PromptSubject) -> TimeInterval {
        if case .item = subject { itemDuration } else { duration }
    }

    /// Whether an answer ends a prompt, and with what.
    ///
    /// - Parameter proven: the account that the customer has shown to be; nil for none.
    package static func decide(
        _ decision: PromptDecision, on prompt: Prompt, proven: AccountID?, at date: Date
    ) -> Result<Prompt.Ending, PromptRefusal> {
        guard prompt.state(at: date) == .open else { return .failure(.notOpen) }
        guard fits(decision, prompt.details.subject) else { return .failure(.wrongAnswer) }
        if case .signedIn(let account) = decision {
            return proven == account ? .success(.decided(decision)) : .failure(.notProven)
        }
        if needsProof(decision, prompt.details.subject) {
            guard let proven else { return .failure(.notProven) }
            guard proven == prompt.details.account else { return .failure(.otherAccount) }
        }
        return .success(.decided(decision))
    }

    /// Giving up costs nothing and needs no password; refusing a price is an answer that
    /// counts.
    package static func needsProof(_ decision: PromptDecision, _ subject: PromptSubject) -> Bool {
        switch (decision, subject) {
        case (.no, .consent): true
        case (.no, _), (.later, _), (.done, _): false
        case (.yes, _), (.code, _), (.signedIn, _): true
        }
    }

    private static func fits(_ decision: PromptDecision, _ subject: PromptSubject) -> Bool {
        switch (decision, subject) {
        case (.done, .item), (.signedIn, .signIn), (.yes, .confirm), (.yes, .consent),
            (.code, .redeem), (.later, .consent):
            true
        // Whoever looks at an item is asked nothing.
        case (.no, .item): false
        case (.no, _): true
        default: false
        }
    }

    /// An offer code without the spaces around it; nil for what can't be one.
    package static func code(_ typed: String) -> String? {
        let code = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !code.isEmpty, code.utf8.count <= codeLimit,
            code.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        return code
    }
}
