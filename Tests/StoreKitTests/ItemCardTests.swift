import Foundation
@testable import StoreKit
import StoreModel
import StoreTexts
import Testing

/// An item on a terminal.
@Suite struct ItemCards {
    private func item(
        title: String = "The Clock", seller: String = "Ada’s Books", price: String? = "$1.99",
        rating: Double? = nil, count: Int = 0, summary: String = "", isSandbox: Bool = false,
        needsApproval: Bool = false
    ) -> OpenStoreItem {
        OpenStoreItem(
            isSandbox: isSandbox, identifier: 7, title: title, seller: seller, price: price,
            rating: rating, ratingCount: count, summary: summary, needsApproval: needsApproval,
            url: URL(string: "https://store.example/us/book/the-clock/id7")!,
            referral: ItemReferral())
    }

    @Test func `what the store tells stands in lines`() {
        let card = ItemCard(
            item(rating: 4.26, count: 12, summary: "One hand.\n\nTwo lines.", isSandbox: true),
            texts: .english
        ).text(width: 60)
        #expect(card.title == "The Clock")
        #expect(
            card.lines == [
                "Ada’s Books", "$1.99", "★★★★☆ 4.3 (12 ratings)", "[Environment: Sandbox]", "",
                "One hand.", "Two lines.",
            ])
        let third = ItemCard(item(rating: 5, count: 1), texts: .english).text(width: 60).lines
            .dropFirst(2).first
        #expect(third?.contains("(1 rating)") == true)
    }

    @Test func `who has to ask is told before they try`() {
        let lines = ItemCard(item(needsApproval: true), texts: .english).text(width: 100).lines
        #expect(lines.contains { $0.contains("Ask to Buy") && $0.contains("can't buy this") })
    }

    @Test func `what the store does not tell leaves no gap`() {
        #expect(
            ItemCard(item(seller: "", price: nil), texts: .english).text(width: 60).lines.isEmpty)
    }

    @Test(arguments: [10, 20, 37, 80, 500])
    func `no line is wider than the terminal, and a long description ends with dots`(
        width: Int
    ) {
        let texts = [
            String(repeating: "word ", count: 900), String(repeating: "x", count: 5000),
            String(repeating: "時計の針は一つ", count: 300), String(repeating: "é👩‍👩‍👧 ", count: 900),
            String(repeating: "a\n", count: 100),
        ]
        for text in texts {
            let card = ItemCard(item(title: text, seller: text, summary: text), texts: .english)
                .text(width: width)
            let most = max(20, min(width, 100))
            for line in [card.title] + card.lines { #expect(line.terminalWidth <= most) }
            #expect(card.lines.count <= 2 + 1 + 1 + 6)
            #expect(card.lines.last?.hasSuffix("…") == true)
        }
    }

    @Test func `nothing of it draws over the screen`() {
        let hostile = "a\u{1b}[2Jb\u{9b}31m\rc\u{202E}d\u{2028}e\u{7}"
        let card = ItemCard(
            item(title: hostile, seller: hostile, price: hostile, summary: hostile),
            texts: .english
        ).text(width: 60)
        for line in [card.title] + card.lines {
            let isPlain = line.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            #expect(isPlain, "\(line)")
        }
    }

    @Test(arguments: [
        ("a b c", 3, 9, ["a b", "c"]), ("", 5, 9, []), ("   ", 5, 9, []),
        ("abcdefg hi", 3, 9, ["abc", "def", "g", "hi"]), ("a b c d", 1, 2, ["a", "…"]),
        ("一二三", 4, 9, ["一二", "三"]),
    ])
    func `text is broken between words and inside of long ones`(
        text: String, width: Int, limit: Int, lines: [String]
    ) {
        #expect(text.wrapped(to: width, lines: limit) == lines)
    }
}
