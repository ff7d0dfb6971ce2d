import Foundation

/// What can be done to an agreement, and what becomes of it.
package enum AgreementRules {
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// The Account Holder agrees.
        case accept
        /// Bank account and tax form are both there.
        case complete
        /// The operator ends it.
        case terminate
        /// The operator offers it again.
        case offer
    }

    /// Every step with the states that it begins in, and the one that it leads to.
    package static let steps: [Agreement.Kind: [Step: [Agreement.State: Agreement.State]]] = [
        .freeApps: [
            .accept: [.new: .active],
            .complete: [:],
            .terminate: [.active: .terminated],
            .offer: [.terminated: .new],
        ],
        .paidApps: [
            .accept: [.new: .pendingUserInfo],
            .complete: [.pendingUserInfo: .active],
            .terminate: [.pendingUserInfo: .terminated, .active: .terminated],
            .offer: [.terminated: .new],
        ],
    ]

    /// The state after a step.
    ///
    /// - Throws: `ConnectRefusal` where the step is not possible in the state.
    package static func state(
        after step: Step, of kind: Agreement.Kind, in state: Agreement.State
    ) throws -> Agreement.State {
        guard let next = steps[kind]?[step]?[state] else {
            throw ConnectRefusal(
                .state, rule: "agreement.\(step.rawValue)",
                "The \(kind.title) agreement is \(state.title).", help: help(step, in: state))
        }
        return next
    }

    private static func help(_ step: Step, in state: Agreement.State) -> String {
        switch (step, state) {
        case (.accept, .terminated): "Ask the store's operator to offer it again."
        case (.accept, .pendingUserInfo):
            "It is accepted already, and in force as soon as the bank account and the tax form are "
                + "there (openstore agreement set-bank and set-tax)."
        case (.accept, _): "It is accepted already; nothing is left to do here."
        case (.complete, .new): "The Account Holder accepts it first."
        case (.complete, .terminated): "Ask the store's operator to offer it again."
        case (.complete, _): "It needs no more data."
        case (.terminate, .new): "It was not accepted, so there is nothing to end."
        case (.terminate, _): "It has ended already."
        case (.offer, _): "Only one that was terminated is offered again."
        }
    }
}
