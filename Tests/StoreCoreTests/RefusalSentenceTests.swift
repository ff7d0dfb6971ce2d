import StoreCore
import StoreModel
import Testing

/// What people read who are refused something: what is wrong, and what to do next.
@Suite struct RefusalSentenceTests {
    private static let email = "ada@example.com"

    /// A refusal, and words that lead on.
    struct Case: Sendable, CustomTestStringConvertible {
        let sentence: String
        let next: String

        init(_ refusal: some CustomStringConvertible, _ next: String) {
            (sentence, self.next) = (refusal.description, next)
        }

        var testDescription: String { sentence }
    }

    static let accounts: [Case] = [
        Case(AccountRefusal.emailMalformed("ada"), "such as ada@example.com"),
        Case(AccountRefusal.emailTaken(email), "Choose another address"),
        Case(AccountRefusal.emailOfDeletedTester(email), "Choose another address"),
        Case(AccountRefusal.unknown(email, .sandbox), "in the sandbox. Check the address"),
        Case(AccountRefusal.unknown(email, .production), "in the production store. Check"),
        Case(AccountRefusal.guardianOfItself(email), "Name another account"),
        Case(AccountRefusal.guardianElsewhere(.sandbox), "in the sandbox has to be another"),
        Case(AccountRefusal.testerConverted(email), "Sign in with another tester"),
        Case(FamilyRefusal.unknown(email, .sandbox), "in the sandbox. Check the address"),
        Case(FamilyRefusal.notInFamily(email), "openstore family add"),
        Case(FamilyRefusal.inFamily(email), "take them out of it first"),
    ]

    static let purchases: [Case] = [
        Case(
            PendingPurchaseRefusal.unknown(PendingPurchaseID(number: 7)),
            "openstore purchase list"),
        Case(RefundRefusal.free, "nothing to give back"),
        Case(SubscriptionChangeRefusal.notFound, "the number of its first transaction"),
        Case(ItemSaleRefusal.notInStorefront(.unitedStates), "not sold in the United States,"),
    ]

    @Test(arguments: accounts + purchases)
    func `a refusal is a sentence that says what to do`(refusal: Case) {
        #expect(refusal.sentence.contains(refusal.next))
        #expect(refusal.sentence.hasSuffix("."))
    }

    @Test(arguments: [
        (Agreement.State.pendingUserInfo, "agreement set-bank"), (.active, "nothing is left to do"),
        (.terminated, "store's operator"),
    ])
    func `who accepts an agreement again is told what is left`(
        state: Agreement.State, next: String
    ) throws {
        let refusal = #expect(throws: ConnectRefusal.self) {
            try AgreementRules.state(after: .accept, of: .paidApps, in: state)
        }
        #expect(refusal?.help.contains(next) == true)
    }

    @Test func `what reviewers have not begun is claimed first`() throws {
        let refusal = #expect(throws: ConnectRefusal.self) {
            try SubmissionRules.state(of: "badge", after: .approve, from: .waitingForReview)
        }
        #expect(refusal?.help == "Claim the submission first (openstore review claim).")
    }
}
