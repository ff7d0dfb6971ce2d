import StoreCore
import StoreModel
import StoreTexts

/// The page of a prompt that can't be answered any longer, or was answered.
package struct EndingPage: Sendable {
    /// The status of the answer: it is there, gone, or was never there.
    package let status: Int
    private let sign: String
    private let title: @Sendable (Texts) -> String
    private let text: @Sendable (Texts) -> String

    private init(
        _ status: Int, _ sign: String, _ title: @escaping @Sendable (Texts) -> String,
        _ text: @escaping @Sendable (Texts) -> String
    ) {
        self.status = status
        self.sign = sign
        self.title = title
        self.text = text
    }

    package static let unknown = EndingPage(404, "?", { $0.nothingHere }, { $0.pageUnknown })
    package static let expired = EndingPage(410, "⌛", { $0.tooLate }, { $0.nobodyAnswered })
    package static let exhausted = EndingPage(
        410, "!", { $0.tooManyAttempts }, { $0.attemptsBought })
    package static let abandoned = EndingPage(
        410, "–", { $0.noLongerNeeded }, { $0.appWaitsNot })

    /// - Returns: nil while the prompt is open.
    package init?(_ state: Prompt.State, of subject: PromptQuestion.Subject) {
        if case .item = subject {
            self.init(item: state)
            return
        }
        switch state {
        case .open: return nil
        case .expired, .left: self = .expired
        case .ended(.abandoned): self = .abandoned
        case .ended(.exhausted): self = .exhausted
        case .ended(.decided(let decision)): self.init(decision, subject)
        }
    }

    private init(_ decision: PromptDecision, _ subject: PromptQuestion.Subject) {
        switch decision {
        case .signedIn: self.init(200, "✓", { $0.signedIn }, { $0.goBack })
        case .done: self.init(200, "✓", { $0.done }, { $0.goBack })
        case .later:
            self.init(200, "✓", { $0.decideLater }, { $0.andGoBack(sentence: $0.askedAgain) })
        case .code: self.init(200, "✓", { $0.codeSent }, { $0.andGoBack(sentence: $0.appRedeems) })
        case .yes:
            switch subject {
            case .consent:
                self.init(
                    200, "✓", { $0.agreed }, { $0.andGoBack(sentence: $0.keepAtNewPrice) })
            case .purchase(_, _, _, needsApproval: true):
                self.init(200, "✓", { $0.asking }, { $0.andGoBack(sentence: $0.appAsks) })
            default:
                self.init(
                    200, "✓", { $0.confirmed }, { $0.andGoBack(sentence: $0.appCompletes) })
            }
        case .no:
            if case .consent = subject {
                self.init(
                    200, "✓", { $0.declined }, { $0.andGoBack(sentence: $0.notTheNewPrice) })
            } else {
                self.init(
                    200, "✕", { $0.cancelled }, { $0.andGoBack(sentence: $0.nothingBought) })
            }
        }
    }

    /// The end of a page that shows an item: something may have been bought on it.
    private init?(item state: Prompt.State) {
        switch state {
        case .open: return nil
        case .expired: self.init(410, "⌛", { $0.closed }, { $0.openHalfHour })
        case .left: self.init(410, "–", { $0.closed }, { $0.pageClosed })
        case .ended(.exhausted):
            self.init(410, "!", { $0.tooManyAttempts }, { $0.attemptsItem })
        case .ended(.abandoned): self.init(410, "–", { $0.noLongerNeeded }, { $0.appShowsNot })
        case .ended(.decided): self.init(200, "✓", { $0.done }, { $0.goBack })
        }
    }

    package func html(
        in layout: PageLayout, appName: String? = nil, environment: StoreEnvironment
    ) -> HTML {
        layout.result(
            sign: sign, title: title(layout.texts), text: text(layout.texts), appName: appName,
            environment: environment)
    }
}
