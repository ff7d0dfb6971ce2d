import StoreModel

/// The steps that products may take: what is not in the table is refused.
///
/// A product that was approved stays so while a newer revision of it, or a newer version of
/// its content, is edited, processed and reviewed; only these have a state of their own then.
package enum ProductRules {
    /// Products that stay as they are, whatever becomes of newer content and newer texts.
    private static let settled: [ProductState: ProductState] = [
        .approved: .approved, .developerRemovedFromSale: .developerRemovedFromSale,
        .removedFromSale: .removedFromSale,
    ]

    /// The states in which a product that was never approved is in its publisher's hands.
    private static func preparing(becomes state: ProductState) -> [ProductState: ProductState] {
        [
            .missingMetadata: state, .waitingForUpload: state, .readyToSubmit: state,
            .developerActionNeeded: state, .rejected: state,
        ]
    }

    private static func andSettled(
        _ steps: [ProductState: ProductState]
    ) -> [ProductState: ProductState] {
        settled.merging(steps) { $1 }
    }

    /// What a product's state becomes.
    package static let table: [ProductStep: [ProductState: ProductState]] = {
        let hosting: [ProductStep: [ProductState: ProductState]] = [
            .host: preparing(becomes: .waitingForUpload),
            .unhost: preparing(becomes: .readyToSubmit),
            .receive: andSettled(preparing(becomes: .processingContent)),
            .prepare: andSettled([.processingContent: .readyToSubmit]),
        ]
        let metadata: [ProductStep: [ProductState: ProductState]] = [
            .complete: [.missingMetadata: .readyToSubmit],
            .spoil: [.readyToSubmit: .missingMetadata],
            // What reviewers have before them, or have approved, can't change under them.
            .edit: andSettled([
                .missingMetadata: .missingMetadata, .waitingForUpload: .waitingForUpload,
                .processingContent: .processingContent, .readyToSubmit: .readyToSubmit,
                .developerActionNeeded: .readyToSubmit, .rejected: .readyToSubmit,
            ]),
        ]
        let review: [ProductStep: [ProductState: ProductState]] = [
            .submit: andSettled([.readyToSubmit: .waitingForReview]),
            .withdraw: andSettled([.waitingForReview: .readyToSubmit]),
            .beginReview: andSettled([.waitingForReview: .inReview]),
            .approve: andSettled([.inReview: .approved]),
            .awaitBinary: andSettled([.inReview: .pendingBinaryApproval]),
            .approveBinary: andSettled([.pendingBinaryApproval: .approved]),
            // The product may be all right: it can go with the next binary, or alone.
            .rejectBinary: andSettled([
                .waitingForReview: .readyToSubmit, .inReview: .readyToSubmit,
                .pendingBinaryApproval: .readyToSubmit,
            ]),
            .reject: andSettled([.inReview: .rejected]),
            .askDeveloper: andSettled([.inReview: .developerActionNeeded]),
        ]
        let sale: [ProductStep: [ProductState: ProductState]] = [
            .removeFromSale: [.approved: .developerRemovedFromSale],
            .returnToSale: [.developerRemovedFromSale: .approved],
            .takeDown: [.approved: .removedFromSale, .developerRemovedFromSale: .removedFromSale],
            // What its publisher had off sale before goes back there: see `SaleService`.
            .reinstate: [.removedFromSale: .approved],
            // The state of what is deleted is its last one.
            .delete: [
                .missingMetadata: .missingMetadata, .waitingForUpload: .waitingForUpload,
                .readyToSubmit: .readyToSubmit, .developerActionNeeded: .developerActionNeeded,
                .rejected: .rejected, .developerRemovedFromSale: .developerRemovedFromSale,
                .removedFromSale: .removedFromSale,
            ],
        ]
        return [hosting, metadata, review, sale].reduce(into: [:]) { table, part in
            table.merge(part) { $1 }
        }
    }()

    /// What the state of a product becomes.
    ///
    /// - Throws: `ConnectRefusal` with the rule `productState` where the step is not allowed.
    package static func state(
        of product: ProductID, after step: ProductStep, from state: ProductState
    ) throws -> ProductState {
        guard let next = table[step]?[state] else {
            throw ConnectRefusal(
                .state, rule: "productState", field: "state",
                "\(product) is in the state \(state.rawValue) and can't be \(step.participle) "
                    + "now.",
                help: help(after: step, in: state))
        }
        return next
    }

    /// The state of a product whose metadata was looked at: it is missing some, or ready.
    /// Products that are elsewhere on their way stay where they are.
    package static func state(after state: ProductState, isComplete: Bool) -> ProductState {
        table[isComplete ? .complete : .spoil]?[state] ?? state
    }
}
