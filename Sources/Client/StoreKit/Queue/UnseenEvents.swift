import FoundationNetworking
import StoreWire

/// What is new in an answer about events: what was heard before is passed over, whatever the store
/// tells again.
struct UnseenEvents {
    /// The number of the last event; the next request asks for later ones.
    let cursor: Int64
    let events: [WireEvent]
    let consents: [WireConsent]
    /// Whether the store is another one than before, or one from a backup: it numbers its events
    /// anew.
    let isOfAnother: Bool

    /// - Parameter known: how far events were heard; nil for not at all.
    /// - Throws: `URLError.badServerResponse` where the cursor is none that a store takes.
    init(_ answer: EventsAnswer, after known: Int64?) throws {
        guard answer.cursor >= 0 else {
            throw URLError(
                .badServerResponse,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The store's events go on after \(answer.cursor), which is no event."
                ])
        }
        cursor = answer.cursor
        consents = answer.consents
        isOfAnother = known.map { answer.cursor < $0 } ?? false
        let heard = isOfAnother ? 0 : known ?? 0
        events = answer.events.filter { $0.id > heard && $0.id <= answer.cursor }
    }
}
