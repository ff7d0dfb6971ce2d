import StoreCore
import StoreModel
import Testing

/// The states of what is submitted, written down a second time.
@Suite struct RevisionRulesTests {
    static func expected(_ step: ProductStep, _ state: RevisionState) -> RevisionState? {
        switch (step, state) {
        case (.edit, .prepareForSubmission), (.edit, .readyForReview), (.edit, .rejected),
            (.edit, .developerRejected):
            .prepareForSubmission
        case (.complete, .prepareForSubmission): .readyForReview
        case (.spoil, .readyForReview): .prepareForSubmission
        case (.submit, .readyForReview), (.submit, .developerRejected): .waitingForReview
        case (.withdraw, .waitingForReview): .developerRejected
        case (.beginReview, .waitingForReview): .inReview
        case (.approve, .inReview), (.approveBinary, .accepted): .approved
        case (.awaitBinary, .inReview): .accepted
        case (.rejectBinary, .waitingForReview), (.rejectBinary, .inReview),
            (.rejectBinary, .accepted):
            .readyForReview
        case (.reject, .inReview), (.askDeveloper, .inReview): .rejected
        default: nil
        }
    }

    @Test(arguments: ProductStep.allCases, RevisionState.allCases)
    func `a revision takes these steps, and is refused every other one`(
        step: ProductStep, state: RevisionState
    ) throws {
        guard let expected = Self.expected(step, state) else {
            let refusal = try #require(throws: ConnectRefusal.self) {
                _ = try RevisionRules.state(of: "badge", after: step, from: state)
            }
            #expect(refusal.rule == "revisionState")
            #expect(refusal.problem.contains("badge"))
            #expect(refusal.problem.contains(state.rawValue))
            #expect(refusal.problem.contains("can't be \(step.participle) now."))
            #expect(refusal.help.hasSuffix("."))
            return
        }
        #expect(try RevisionRules.state(of: "badge", after: step, from: state) == expected)
    }

    @Test(arguments: RevisionState.allCases)
    func `only what customers saw last is replaced`(state: RevisionState) {
        #expect(RevisionRules.superseded[state] == (state == .approved ? .replaced : nil))
        // Nobody edits what reviewers have before them, nor what they approved.
        #expect((RevisionRules.table[.edit]?[state] != nil) == state.isEditable)
        #expect(state.isWithReviewers == (state.isOpen && !state.isEditable))
    }
}

/// Submissions and what is in them.
@Suite struct SubmissionRulesTests {
    static func expected(_ step: SubmissionStep, _ state: SubmissionState) -> SubmissionState? {
        switch (step, state) {
        case (.claim, .waitingForReview), (.claim, .inReview), (.decide, .inReview): .inReview
        case (.withdraw, .waitingForReview), (.complete, .waitingForReview): .withdrawn
        case (.complete, .inReview): .complete
        default: nil
        }
    }

    @Test(arguments: SubmissionStep.allCases, SubmissionState.allCases)
    func `a submission takes these steps, and is refused every other one`(
        step: SubmissionStep, state: SubmissionState
    ) throws {
        guard let expected = Self.expected(step, state) else {
            let refusal = try #require(throws: ConnectRefusal.self) {
                _ = try SubmissionRules.state(after: step, from: state)
            }
            #expect(refusal.rule == "submissionState")
            #expect(refusal.problem.contains(state.rawValue))
            #expect(refusal.help.hasSuffix("."))
            return
        }
        #expect(try SubmissionRules.state(after: step, from: state) == expected)
    }

    static func expected(
        _ step: ProductStep, _ state: SubmissionItemState
    ) -> SubmissionItemState? {
        switch (step, state) {
        case (.withdraw, .waitingForReview), (.withdraw, .inReview): .withdrawn
        case (.beginReview, .waitingForReview): .inReview
        case (.approve, .inReview), (.approveBinary, .accepted): .approved
        case (.awaitBinary, .inReview): .accepted
        case (.rejectBinary, .waitingForReview), (.rejectBinary, .inReview),
            (.rejectBinary, .accepted):
            .returned
        case (.reject, .inReview): .rejected
        case (.askDeveloper, .inReview): .developerActionNeeded
        default: nil
        }
    }

    @Test(arguments: ProductStep.allCases, SubmissionItemState.allCases)
    func `what was submitted is decided once`(
        step: ProductStep, state: SubmissionItemState
    ) throws {
        guard let expected = Self.expected(step, state) else {
            let refusal = try #require(throws: ConnectRefusal.self) {
                _ = try SubmissionRules.state(of: "badge", after: step, from: state)
            }
            #expect(refusal.rule == "submissionItemState")
            #expect(refusal.problem.contains("badge"))
            #expect(refusal.help.hasSuffix("."))
            return
        }
        let next = try SubmissionRules.state(of: "badge", after: step, from: state)
        #expect(next == expected)
        #expect(state.isOpen)
    }
}
