import Foundation

/// What the page of an item says of whether somebody looks at it. Only browsers that run its
/// script say anything.
package enum PromptPresence: String, Sendable, Hashable, CaseIterable {
    /// Somebody looks at it. Said again and again.
    case here
    /// It is open and out of sight, where browsers may let it say nothing for as long as they
    /// like.
    case hidden
    /// It was closed, or the browser has gone to another page, which may be this one again.
    case left
}

extension PromptRules {
    /// How long the script of the page waits before it says again that somebody looks.
    package static let presenceInterval: TimeInterval = 10
    /// So long after its last word a page that was looked at counts as closed: its browser, or
    /// the network, has gone.
    package static let silenceLimit: TimeInterval = 35
    /// So long a page that was left may take to come back: its form was sent, or it was loaded
    /// again, or there is another tab with it.
    package static let returnLimit: TimeInterval = 15

    /// When a page counts as closed unless it says something before; nil where only its time
    /// limit ends it.
    package static func absence(after presence: PromptPresence, at date: Date) -> Date? {
        switch presence {
        case .here: date.addingTimeInterval(silenceLimit)
        case .hidden: nil
        case .left: date.addingTimeInterval(returnLimit)
        }
    }
}
