import StoreCore
import Testing

@Suite struct AgreementRulesTests {
    struct Try: Sendable, CustomTestStringConvertible {
        let kind: Agreement.Kind
        let step: AgreementRules.Step
        let state: Agreement.State
        var testDescription: String { "\(kind) \(step) in \(state)" }
    }

    static let all: [Try] = Agreement.Kind.allCases.flatMap { kind in
        AgreementRules.Step.allCases.flatMap { step in
            Agreement.State.allCases.map { Try(kind: kind, step: step, state: $0) }
        }
    }

    /// What is possible, written down a second time.
    private static let possible: [String: Agreement.State] = [
        "freeApps accept in new": .active,
        "freeApps terminate in active": .terminated,
        "freeApps offer in terminated": .new,
        "paidApps accept in new": .pendingUserInfo,
        "paidApps complete in pendingUserInfo": .active,
        "paidApps terminate in pendingUserInfo": .terminated,
        "paidApps terminate in active": .terminated,
        "paidApps offer in terminated": .new,
    ]

    @Test(arguments: all) func `each step is possible in its states only`(_ attempt: Try) throws {
        let expected = Self.possible[attempt.testDescription]
        do {
            let state = try AgreementRules.state(
                after: attempt.step, of: attempt.kind, in: attempt.state)
            #expect(state == expected)
        } catch let refusal as ConnectRefusal {
            #expect(expected == nil)
            #expect(refusal.kind == .state)
            #expect(refusal.rule == "agreement.\(attempt.step.rawValue)")
            #expect(refusal.problem.contains(attempt.state.title))
            #expect(refusal.help.hasSuffix("."))
        }
    }
}
