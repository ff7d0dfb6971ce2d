import StoreTexts
import StoreWire

extension WireError {
    /// The sentence for the customer, in their language.
    ///
    /// The store answers in English, at times with figures: that stays in English, and for what
    /// only developers can mend. The store's own sentence is in the underlying error as well.
    func sentence(in texts: Texts) -> String {
        guard texts.language != .english else { return message }
        return switch code {
        case .signInRefused: texts.signInRefused
        case .notSignedIn: texts.didNotSignIn
        case .purchaseDeclined: texts.purchaseDeclined
        case .approvalLapsed: texts.approvalLapsed
        case .paymentDeclined: texts.paymentDeclined
        case .purchaseRevoked: texts.purchaseRevoked
        case .itemNotForSale, .productTypeNotSold: texts.productNotSold
        case .itemUnknown, .itemNotInStorefront: texts.itemUnknown
        case .itemNeedsApproval: texts.approvalHere
        case .codeUnknown: texts.codeUnknown
        case .codeEnded: texts.codeEnded
        case .codeUsed: texts.codeUsed
        case .storeUnavailable: texts.storeBusy
        case .internalError: texts.storeHasFailed
        default: message
        }
    }
}
