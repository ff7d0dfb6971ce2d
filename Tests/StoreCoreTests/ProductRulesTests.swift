import StoreCore
import StoreModel
import Testing

/// The table of a product's steps, written down a second time as the guides tell them.
@Suite struct ProductRulesTests {
    static let product = ProductID("com.example.shop.badge")!
    static let settled: Set<ProductState> = [
        .approved, .removedFromSale, .developerRemovedFromSale,
    ]
    /// In the publisher's hands, and never approved.
    static let preparing: Set<ProductState> = [
        .missingMetadata, .waitingForUpload, .readyToSubmit, .developerActionNeeded, .rejected,
    ]

    /// What changes, and whether products that were approved stay as they are.
    static func expected(
        _ step: ProductStep
    ) -> (from: Set<ProductState>, to: ProductState?, letsSettledStay: Bool) {
        switch step {
        case .host: (preparing, .waitingForUpload, false)
        case .unhost: (preparing, .readyToSubmit, false)
        case .receive: (preparing, .processingContent, true)
        case .prepare: ([.processingContent], .readyToSubmit, true)
        case .complete: ([.missingMetadata], .readyToSubmit, false)
        case .spoil: ([.readyToSubmit], .missingMetadata, false)
        case .edit: ([.developerActionNeeded, .rejected], .readyToSubmit, true)
        case .submit: ([.readyToSubmit], .waitingForReview, true)
        case .withdraw: ([.waitingForReview], .readyToSubmit, true)
        case .beginReview: ([.waitingForReview], .inReview, true)
        case .approve: ([.inReview], .approved, true)
        case .awaitBinary: ([.inReview], .pendingBinaryApproval, true)
        case .approveBinary: ([.pendingBinaryApproval], .approved, true)
        case .rejectBinary:
            ([.waitingForReview, .inReview, .pendingBinaryApproval], .readyToSubmit, true)
        case .reject: ([.inReview], .rejected, true)
        case .askDeveloper: ([.inReview], .developerActionNeeded, true)
        case .removeFromSale: ([.approved], .developerRemovedFromSale, false)
        case .returnToSale: ([.developerRemovedFromSale], .approved, false)
        case .takeDown: ([.approved, .developerRemovedFromSale], .removedFromSale, false)
        case .reinstate: ([.removedFromSale], .approved, false)
        // It keeps the state that it had.
        case .delete:
            (preparing.union([.developerRemovedFromSale, .removedFromSale]), nil, false)
        }
    }

    static func expected(_ step: ProductStep, _ state: ProductState) -> ProductState? {
        let rule = expected(step)
        if rule.from.contains(state) { return rule.to ?? state }
        // Texts can be edited also where that changes nothing.
        let stays: Set<ProductState> = [
            .missingMetadata, .waitingForUpload, .processingContent, .readyToSubmit,
        ]
        if step == .edit, stays.contains(state) { return state }
        return rule.letsSettledStay && settled.contains(state) ? state : nil
    }

    @Test(arguments: ProductStep.allCases, ProductState.allCases)
    func `a product takes the steps of the guide, and is refused every other one`(
        step: ProductStep, state: ProductState
    ) throws {
        let expected = Self.expected(step, state)
        #expect(ProductRules.table[step]?[state] == expected)
        guard let expected else {
            let refusal = try #require(throws: ConnectRefusal.self) {
                _ = try ProductRules.state(of: Self.product, after: step, from: state)
            }
            #expect(refusal.kind == .state)
            #expect(refusal.rule == "productState")
            #expect(refusal.field == "state")
            #expect(refusal.problem.contains(Self.product.text))
            #expect(refusal.problem.contains(state.rawValue))
            #expect(refusal.problem.contains("can't be \(step.participle) now."))
            #expect(refusal.help.hasSuffix("."))
            #expect(refusal.help.count > 15)
            return
        }
        #expect(try ProductRules.state(of: Self.product, after: step, from: state) == expected)
    }

    /// Refusals that people meet, with what would help.
    static let refusals: [(ProductStep, ProductState, String)] = [
        (.submit, .missingMetadata, "Complete what it lacks"),
        (.submit, .waitingForUpload, "Upload its content"),
        (.submit, .processingContent, "Wait until"),
        (.submit, .inReview, "Wait for the decision"),
        (.submit, .rejected, "reviewer's message"),
        (.edit, .waitingForReview, "Take it back"),
        (.edit, .inReview, "Wait for the decision"),
        (.edit, .pendingBinaryApproval, "app version"),
        (.withdraw, .inReview, "Wait for the decision"),
        (.withdraw, .readyToSubmit, "Only what waits"),
        (.host, .approved, "keeps the way"),
        (.unhost, .removedFromSale, "keeps the way"),
        (.removeFromSale, .readyToSubmit, "Only what is approved"),
        (.removeFromSale, .developerRemovedFromSale, "off sale already"),
        (.takeDown, .removedFromSale, "off sale already"),
        (.returnToSale, .approved, "on sale already"),
        (.returnToSale, .removedFromSale, "ask its staff"),
        (.returnToSale, .rejected, "Submit it"),
        (.reinstate, .developerRemovedFromSale, "Only what the store took"),
        (.delete, .approved, "Remove it from sale"),
        (.delete, .waitingForReview, "Take it back"),
    ]

    @Test(arguments: refusals)
    func `a refusal says what would help`(step: ProductStep, state: ProductState, help: String) {
        #expect(ProductRules.table[step]?[state] == nil)
        #expect(ProductRules.help(after: step, in: state).contains(help))
    }

    @Test(arguments: ProductState.allCases)
    func `what was approved stays so, whatever becomes of its next revision`(state: ProductState) {
        let steps: [ProductStep] = [
            .receive, .prepare, .edit, .submit, .withdraw, .beginReview, .approve, .awaitBinary,
            .approveBinary, .rejectBinary, .reject, .askDeveloper,
        ]
        for step in steps where Self.settled.contains(state) {
            #expect(ProductRules.table[step]?[state] == state, "\(step)")
        }
    }

    @Test(arguments: ProductState.allCases, [true, false])
    func `completeness moves only what is being prepared`(state: ProductState, isComplete: Bool) {
        let expected: ProductState =
            switch state {
            case .missingMetadata, .readyToSubmit: isComplete ? .readyToSubmit : .missingMetadata
            default: state
            }
        #expect(ProductRules.state(after: state, isComplete: isComplete) == expected)
    }
}
