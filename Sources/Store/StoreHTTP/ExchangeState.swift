/// Where a request stands between its header and its answer.
///
/// libmicrohttpd calls when the header is there, for each piece of the body, at its end, and again
/// after a suspended connection was resumed. What a call means follows from the state:
///
/// | state | call | next |
/// |---|---|---|
/// | `header` | the header is there | `admission` where somebody decides about the body, otherwise `body` |
/// | `admission` | it was decided | `body` where the body may come |
/// | `body` | a piece of it | `body`; one that does not fit is passed over from now on |
/// | `body` | its end | `work` |
/// | `work` | the answer was found | `answer` |
///
/// Every state may go over to `answer`: with a refusal, or because the server stops.
enum ExchangeState: Hashable {
    case header
    case admission
    case body(Body)
    case work
    case answer

    /// What becomes of a body that is on its way.
    enum Body: Hashable, CaseIterable {
        case kept
        /// It is over the limit.
        case tooLarge
        /// There was no room for it on the disk.
        case failed
    }

    /// Whether it may go over to another state.
    func leads(to next: ExchangeState) -> Bool {
        switch (self, next) {
        case (.header, .admission), (.header, .body(.kept)), (.admission, .body(.kept)),
            (.body(.kept), .body), (.body(.kept), .work):
            true
        // What was too large, or not taken, stays so.
        case (.body(let body), .body(let later)): body == later || later == .tooLarge
        case (.answer, _): false
        case (_, .answer): true
        default: false
        }
    }

    /// What the connection does meanwhile, as others see it; nil where it goes on as before.
    var phase: ConnectionContext.Phase? {
        switch self {
        case .header: nil
        case .admission, .work: .working
        case .body: .body
        case .answer: .answering
        }
    }
}
