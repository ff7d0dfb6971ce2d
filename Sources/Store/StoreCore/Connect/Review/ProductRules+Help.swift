import StoreModel

extension ProductRules {
    /// What would help where a step is refused: one sentence.
    package static func help(after step: ProductStep, in state: ProductState) -> String {
        switch step {
        case .removeFromSale, .takeDown:
            state.isRemovedFromSale
                ? "It is off sale already." : "Only what is approved is on sale."
        case .returnToSale: returning(from: state)
        case .reinstate: "Only what the store took from sale can be reinstated."
        case .withdraw where state != .inReview && state != .pendingBinaryApproval:
            "Only what waits for review can be taken back."
        case .delete where state == .approved: "Remove it from sale first."
        case .delete where state == .waitingForReview, .edit where state == .waitingForReview:
            "Take it back from review first."
        case .host where state == .approved || state.isRemovedFromSale,
            .unhost where state == .approved || state.isRemovedFromSale:
            "What was approved keeps the way in which it delivers."
        default: way(out: state)
        }
    }

    private static func returning(from state: ProductState) -> String {
        switch state {
        case .approved: "It is on sale already."
        case .removedFromSale:
            "The store took it from sale; read its reason, and ask its staff to reinstate it."
        default: "Submit it for review first: it goes on sale when it is approved."
        }
    }

    /// What leads out of a state.
    private static func way(out state: ProductState) -> String {
        switch state {
        case .missingMetadata:
            "Complete what it lacks first: texts, a price, availability or the screenshot for "
                + "reviewers."
        case .waitingForUpload: "Upload its content first (openstore content upload)."
        case .processingContent: "Wait until its content is processed."
        case .readyToSubmit: "Submit it for review first."
        case .waitingForReview, .inReview: "Wait for the decision of the review."
        case .developerActionNeeded, .rejected:
            "Read the reviewer's message; change the product, or upload a newer version of its "
                + "content, and submit it again."
        case .pendingBinaryApproval: "Wait for the decision on the app version it came with."
        case .approved, .removedFromSale, .developerRemovedFromSale:
            "It is approved: only its next revision goes through review."
        }
    }
}
