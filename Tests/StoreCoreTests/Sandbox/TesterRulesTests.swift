import Foundation
@testable import StoreCore
import StoreModel
import Testing

@Suite struct TesterRulesTests {
    /// Every step from every status; nil is refused.
    private static let expected: [(TesterStep, TesterStatus, TesterStatus?)] = [
        (.signIn, .active, .active), (.signIn, .converted, nil), (.signIn, .deleted, nil),
        (.convert, .active, .converted), (.convert, .converted, nil), (.convert, .deleted, nil),
        (.change, .active, .active), (.change, .converted, nil), (.change, .deleted, nil),
        (.clearHistory, .active, .active), (.clearHistory, .converted, nil),
        (.clearHistory, .deleted, nil),
        (.refund, .active, .active), (.refund, .converted, nil), (.refund, .deleted, nil),
        (.decide, .active, .active), (.decide, .converted, nil), (.decide, .deleted, nil),
        (.delete, .active, .deleted), (.delete, .converted, .deleted), (.delete, .deleted, nil),
    ]

    @Test func `every step from every status leads where it should, or is refused`() {
        #expect(
            Self.expected.count == TesterStep.allCases.count * TesterStatus.allCases.count)
        for (step, status, next) in Self.expected {
            let result = Result {
                try TesterRules.status(after: step, of: status, email: "ada@example.com")
            }
            if let next {
                #expect((try? result.get()) == next, "\(step) from \(status)")
                continue
            }
            #expect {
                try result.get()
            } throws: { error in
                guard let refusal = error as? ConnectRefusal else { return false }
                // What is deleted is gone; a converted one is said to be so, with what helps.
                return status == .deleted
                    ? refusal.kind == .notFound
                    : refusal.rule == "testerConverted" && refusal.kind == .state
                        && refusal.help.contains("another tester")
            }
        }
    }

    private static let draft = TesterDraft(
        firstName: "Ada", lastName: "Lovelace", email: " Ada@Example.com ",
        password: "correct-horse", secretQuestion: "First engine?", secretAnswer: "Difference",
        territory: .unitedStates)

    @Test func `a tester is kept with a clean address and clean names`() throws {
        var draft = Self.draft
        draft.firstName = "  Ada\n"
        let checked = try TesterRules.checked(draft)
        #expect(checked.email == "ada@example.com")
        #expect(checked.firstName == "Ada")
        #expect(checked.password == "correct-horse")
    }

    @Test(
        arguments: [
            (\.firstName, "", "firstName", "firstNameMissing"),
            (\.firstName, " \n ", "firstName", "firstNameMissing"),
            (\.lastName, "", "lastName", "lastNameMissing"),
            (\.lastName, String(repeating: "a", count: 101), "lastName", "lastNameMalformed"),
            (\.firstName, "A\u{0}da", "firstName", "firstNameMalformed"),
            (\.firstName, "A\u{1B}[31mda", "firstName", "firstNameMalformed"),
            (\.email, "ada", "email", "emailMalformed"),
            (\.email, "a@b@c", "email", "emailMalformed"),
            (\.email, "", "email", "emailMalformed"),
            (\.password, "1234567", "password", "passwordTooShort"),
            (\.password, String(repeating: "a", count: 1025), "password", "passwordTooLong"),
            (\.secretQuestion, "", "secretQuestion", "secretQuestionMissing"),
            (\.secretAnswer, "", "secretAnswer", "secretAnswerMissing"),
        ] as [(WritableKeyPath<TesterDraft, String> & Sendable, String, String, String)])
    func `what can't be a tester is refused with its field`(
        part: WritableKeyPath<TesterDraft, String> & Sendable, text: String, field: String,
        rule: String
    ) {
        var draft = Self.draft
        draft[keyPath: part] = text
        #expect {
            try TesterRules.requireWhole(draft)
            _ = try TesterRules.checked(draft)
        } throws: { error in
            let refusal = error as? ConnectRefusal
            return refusal?.field == field && refusal?.rule == rule && refusal?.kind == .invalid
        }
    }

    @Test func `names may be left out, and a question together with its answer`() throws {
        var draft = Self.draft
        for part in [\TesterDraft.firstName, \.lastName, \.secretQuestion, \.secretAnswer] {
            draft[keyPath: part] = ""
        }
        #expect(try TesterRules.checked(draft).secretQuestion == "")
        draft.secretAnswer = "Difference"
        #expect {
            try TesterRules.checked(draft)
        } throws: { ($0 as? ConnectRefusal)?.rule == "secretQuestionMissing" }
    }

    @Test func `only payments of testers that cost something are declined`() {
        var draft = LedgerDraft(
            kind: .purchase, environment: .sandbox, account: AccountID(number: 1),
            app: AppID(number: 1), bundleID: BundleID("com.example.shop")!,
            productID: ProductID("crown")!, productType: .consumable, key: "purchase-key-1001",
            device: "device", quantity: 1, unitPrice: Money(thousandths: 990, currency: "USD"),
            charged: Money(thousandths: 990, currency: "USD"), storefront: .unitedStates,
            original: nil, applicationUsername: nil, date: Date(timeIntervalSince1970: 0))
        func isDeclined(_ failure: PaymentFailure) -> Bool {
            PurchaseRules.isDeclined(draft, settings: AccountSettings(paymentFailure: failure))
        }
        #expect(PaymentFailure.allCases.map(isDeclined) == [false, true, true])
        draft.charged.thousandths = 0
        #expect(PaymentFailure.allCases.map(isDeclined) == [false, false, false])
        draft.charged.thousandths = 990
        draft.environment = .production
        #expect(PaymentFailure.allCases.map(isDeclined) == [false, false, false])
    }

    @Test func `a change leaves alone what it does not name`() {
        let settings = AccountSettings(
            asksToBuy: true, interruptsPurchases: true, guardian: AccountID(number: 3),
            paymentFailure: .all)
        #expect(TesterChange(territory: .unitedStates).applied(to: settings) == settings)
        let changed = TesterChange(
            interruptsPurchases: false, asksToBuy: false, paymentFailure: .next
        ).applied(to: settings)
        #expect(
            changed
                == AccountSettings(guardian: AccountID(number: 3), paymentFailure: .next))
    }
}
