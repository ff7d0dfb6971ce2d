import Foundation
import StoreModel

/// A place of a page that is not the same for every customer.
package enum PageSlot: Sendable, Hashable {
    /// Who is signed in, at the top.
    case account
    /// The button that gets an item, or what one has of it.
    case offer(ItemID)
    /// The customer's own review.
    case review
    /// The form that buttons for votes belong to.
    case votes

    /// What stands for it between the marks of a template.
    var word: String {
        switch self {
        case .account: "account"
        case .offer(let id): "offer \(id)"
        case .review: "review"
        case .votes: "votes"
        }
    }

    init?(word: Substring) {
        switch word {
        case "account": self = .account
        case "review": self = .review
        case "votes": self = .votes
        default:
            guard let number = word.dropping(prefix: "offer "), let id = ItemID(String(number))
            else {
                return nil
            }
            self = .offer(id)
        }
    }
}

/// A page that was made once for everybody, with places for what belongs to one customer.
struct PageTemplate: Sendable {
    private enum Segment: Sendable {
        case text(Data)
        case slot(PageSlot, usual: Data)
    }

    private let segments: [Segment]
    /// The page for a customer whom nobody knows.
    let usual: Data
    /// The items that have a slot.
    let offers: [ItemID]

    init(_ page: HTML) {
        // Between marks there are by turns text, a slot's word, what usually stands in it.
        let parts = page.markedDocument().utf8.split(
            separator: 0, omittingEmptySubsequences: false)
        var segments: [Segment] = []
        var offers: [ItemID] = []
        var usual = Data()
        var index = 0
        while index < parts.count {
            segments.append(.text(Data(parts[index])))
            usual.append(contentsOf: parts[index])
            if index + 2 < parts.count, let slot = PageSlot(word: Substring(parts[index + 1])) {
                segments.append(.slot(slot, usual: Data(parts[index + 2])))
                usual.append(contentsOf: parts[index + 2])
                if case .offer(let id) = slot { offers.append(id) }
            }
            index += 3
        }
        self.segments = segments
        self.offers = offers
        self.usual = usual
    }

    /// The page for one customer.
    ///
    /// - Parameter fill: what stands in a slot; nil for what usually does.
    func filled(_ fill: (PageSlot) -> HTML?) -> Data {
        var data = Data(capacity: usual.count + 4096)
        for segment in segments {
            switch segment {
            case .text(let text): data.append(text)
            case .slot(let slot, let usual):
                if let own = fill(slot) {
                    data.append(contentsOf: own.markup().utf8)
                } else {
                    data.append(usual)
                }
            }
        }
        return data
    }

    /// Bytes that it takes in memory, about.
    var size: Int { usual.count * 2 + 512 }
}
