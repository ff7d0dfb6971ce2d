import StoreCore
import StoreModel

/// The page of a prompt that can't be answered any longer, or was answered.
package struct EndingPage: Sendable {
    /// The status of the answer: it is there, gone, or was never there.
    package let status: Int
    private let sign: String
    private let title: String
    private let text: String

    private init(_ status: Int, _ sign: String, _ title: String, _ text: String) {
        self.status = status
        self.sign = sign
        self.title = title
        self.text = text
    }

    package static let unknown = EndingPage(
        404, "?", "Nothing Here",
        "This page does not exist, or not any longer. Go back to the app and try again.")
    package static let expired = EndingPage(
        410, "⌛", "Too Late",
        "Nobody answered for fifteen minutes. Go back to the app and try again.")
    package static let exhausted = EndingPage(
        410, "!", "Too Many Attempts",
        "The password was wrong too often. Nothing was bought. Go back to the app and try again.")
    package static let abandoned = EndingPage(
        410, "–", "No Longer Needed", "The app does not wait for this answer any longer.")

    /// - Returns: nil while the prompt is open.
    package init?(_ state: Prompt.State, of subject: PromptQuestion.Subject) {
        let goBack = "You can close this page and return to the app."
        if case .item = subject {
            self.init(item: state)
            return
        }
        switch state {
        case .open: return nil
        case .expired, .left: self = .expired
        case .ended(.abandoned): self = .abandoned
        case .ended(.exhausted): self = .exhausted
        case .ended(.decided(.signedIn)):
            self.init(200, "✓", "Signed In", goBack)
        case .ended(.decided(.later)):
            self.init(200, "✓", "Decide Later", "You will be asked again. \(goBack)")
        case .ended(.decided(.done)):
            self.init(200, "✓", "Done", goBack)
        case .ended(.decided(.code)):
            self.init(200, "✓", "Code Sent", "The app redeems it now. \(goBack)")
        case .ended(.decided(.yes)):
            switch subject {
            case .consent: self.init(200, "✓", "Agreed", "You keep it at the new price. \(goBack)")
            case .purchase(_, _, _, needsApproval: true):
                self.init(200, "✓", "Asking", "The app asks for permission now. \(goBack)")
            default: self.init(200, "✓", "Confirmed", "The app completes the purchase. \(goBack)")
            }
        case .ended(.decided(.no)):
            if case .consent = subject {
                self.init(200, "✓", "Declined", "You do not pay the new price. \(goBack)")
            } else {
                self.init(200, "✕", "Cancelled", "Nothing was bought. \(goBack)")
            }
        }
    }

    /// The end of a page that shows an item: something may have been bought on it.
    private init?(item state: Prompt.State) {
        switch state {
        case .open: return nil
        case .expired:
            self.init(
                410, "⌛", "Closed",
                "This page was open for half an hour. Go back to the app to see the item again.")
        case .left:
            self.init(
                410, "–", "Closed",
                "This page was closed. Go back to the app to see the item again.")
        case .ended(.exhausted):
            self.init(
                410, "!", "Too Many Attempts",
                "The password was wrong too often. Go back to the app and try again.")
        case .ended(.abandoned):
            self.init(410, "–", "No Longer Needed", "The app shows this item no longer.")
        case .ended(.decided):
            self.init(200, "✓", "Done", "You can close this page and return to the app.")
        }
    }

    package func html(
        in layout: PageLayout, appName: String? = nil, environment: StoreEnvironment
    ) -> HTML {
        layout.result(
            sign: sign, title: title, text: text, appName: appName, environment: environment)
    }
}
