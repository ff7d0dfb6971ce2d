import Foundation
import StoreModel
import Testing

@testable import StoreCore

@Suite struct PromptRulesTests {
    static let date = Date(timeIntervalSince1970: 1_800_000_000)
    static let owner = AccountID(number: 1)
    static let other = AccountID(number: 2)
    static let price = Money(thousandths: 990, currency: "USD")
    static let product = ProductID("com.example.chapter")!
    static let signIn = PromptSubject.signIn(email: nil)
    static let confirm = PromptSubject.confirm(product, quantity: 1, price: price)
    static let consent = PromptSubject.consent(product, currentPrice: price, newPrice: price)

    static let item = PromptSubject.item(ItemID(number: 7), Referral(affiliateToken: "ada"))

    private func prompt(_ subject: PromptSubject, ending: Prompt.Ending? = nil) -> Prompt {
        Prompt(
            id: PromptID(number: 1),
            details: PromptDraft(
                environment: .sandbox, app: AppID(number: 1),
                account: subject == Self.signIn ? nil : Self.owner, subject: subject,
                address: "http://store", start: Self.date,
                end: Self.date.addingTimeInterval(PromptRules.duration)),
            attempts: 0, ending: ending, isCollected: false, absence: nil)
    }

    @Test(arguments: [
        (PromptDecision.yes, confirm, owner as AccountID?, nil as PromptRefusal?),
        (.yes, confirm, nil, .notProven), (.yes, confirm, other, .otherAccount),
        (.no, confirm, nil, nil), (.later, confirm, owner, .wrongAnswer),
        (.code("X"), confirm, owner, .wrongAnswer), (.code("X"), .redeem, owner, nil),
        (.code("X"), .redeem, nil, .notProven), (.yes, .redeem, owner, .wrongAnswer),
        (.no, .redeem, nil, nil), (.yes, consent, owner, nil),
        (.yes, consent, other, .otherAccount),
        (.no, consent, nil, .notProven), (.no, consent, owner, nil), (.later, consent, nil, nil),
        (.yes, signIn, owner, .wrongAnswer), (.no, signIn, nil, nil),
        (.signedIn(owner), signIn, owner, nil), (.signedIn(owner), signIn, other, .notProven),
        (.signedIn(owner), signIn, nil, .notProven),
        (.signedIn(owner), confirm, owner, .wrongAnswer),
        (.done, item, nil, nil), (.done, item, other, nil), (.no, item, owner, .wrongAnswer),
        (.yes, item, owner, .wrongAnswer), (.signedIn(owner), item, owner, .wrongAnswer),
        (.done, confirm, owner, .wrongAnswer), (.done, signIn, owner, .wrongAnswer),
    ])
    func `who has shown what may answer what`(
        decision: PromptDecision, subject: PromptSubject, proven: AccountID?,
        refusal: PromptRefusal?
    ) {
        let result = PromptRules.decide(
            decision, on: prompt(subject), proven: proven, at: Self.date)
        #expect(result == (refusal.map { .failure($0) } ?? .success(.decided(decision))))
    }

    @Test(arguments: [Prompt.Ending.decided(.no), .abandoned, .exhausted])
    func `what has ended is not answered again`(ending: Prompt.Ending) {
        let result = PromptRules.decide(
            .yes, on: prompt(Self.confirm, ending: ending), proven: Self.owner, at: Self.date)
        #expect(result == .failure(.notOpen))
        #expect(
            prompt(Self.confirm, ending: ending).state(at: .distantFuture) == .ended(ending))
    }

    @Test func `what is too late is not answered`() {
        let late = Self.date.addingTimeInterval(PromptRules.duration)
        let result = PromptRules.decide(
            .no, on: prompt(Self.confirm), proven: nil, at: late)
        #expect(result == .failure(.notOpen))
        #expect(prompt(Self.confirm).state(at: late) == .expired)
    }

    @Test func `who looks at an item has half an hour`() {
        #expect(PromptRules.duration(of: Self.item) == 1800)
        for subject in [Self.signIn, Self.confirm, Self.consent, .redeem] {
            #expect(PromptRules.duration(of: subject) == 900)
        }
    }

    @Test(arguments: [
        (PromptPresence.here, 35 as TimeInterval?), (.left, 15), (.hidden, nil),
    ])
    func `a page counts as closed some time after its last word`(
        presence: PromptPresence, seconds: TimeInterval?
    ) throws {
        let absence = PromptRules.absence(after: presence, at: Self.date)
        #expect(absence == seconds.map { Self.date.addingTimeInterval($0) })
        // A word that is late does not make a tab count as closed that is looked at.
        if let seconds { #expect(seconds > PromptRules.presenceInterval) }
        let open = prompt(Self.item)
        let shown = Prompt(
            id: open.id, details: open.details, attempts: 0, ending: nil, isCollected: false,
            absence: absence)
        let before = Self.date.addingTimeInterval((seconds ?? 60) - 1)
        #expect(shown.state(at: before) == .open)
        #expect(shown.state(at: before.addingTimeInterval(1)) == (seconds == nil ? .open : .left))
        let done = PromptRules.decide(
            .done, on: shown, proven: nil, at: before.addingTimeInterval(1))
        #expect(done == (seconds == nil ? .success(.decided(.done)) : .failure(.notOpen)))
    }

    @Test(arguments: [
        (" SPRING26\n", "SPRING26" as String?), ("a b", nil), ("", nil), ("   ", nil), ("é", nil),
        ("\u{7f}", nil), (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
        (String(repeating: "x", count: 65), nil),
    ])
    func `a code is printable ASCII without spaces`(typed: String, code: String?) {
        #expect(PromptRules.code(typed) == code)
    }
}
