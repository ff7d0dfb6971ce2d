import Foundation
@testable import StoreKit
import StoreModel
import StoreTexts
import StoreWire
import Testing

/// An item's page on a terminal.
@Suite struct ItemScreens {
    private static func page(_ text: String) -> ItemPageAnswer {
        let item = WireItem(
            itemId: 8, kind: "ebook", title: text, maker: text,
            price: Money(thousandths: 1990, currency: "USD"))
        let customer = WireItemCustomer(
            isOwned: false, file: nil, isWithheld: false, needsApproval: false, mayReview: false,
            review: nil)
        return ItemPageAnswer(
            item: item, storefront: "USA", url: "https://store.example/id8", seller: text,
            subtitle: text, description: text, genre: text, ageRating: text, fileSize: 1 << 20,
            supportUrl: "https://ada.example/", rating: WireRating(counts: [0, 0, 0, 8, 4]),
            versions: [WireItemVersion(version: text, date: .max, notes: text)],
            purchases: [
                WireItemPurchase(title: text, price: Money(thousandths: 990, currency: "USD"))
            ], parts: [item], others: [item], related: [item], obstacle: nil, customer: customer)
    }

    private static func screen(_ page: ItemPageAnswer) -> ItemScreen {
        ItemScreen(page: page, isSandbox: true, previous: nil, texts: Texts(.english))
    }

    @Test func `what the store tells stands behind labels, and what can be done in a list`() {
        let screen = Self.screen(Self.page("The Clock"))
        let text = screen.text(columns: 80)
        for part in [
            "│ The Clock ", "Seller:     The Clock", "Price:      $1.99", "★★★★☆ 4.3 (12 ratings)",
            "[Environment: Sandbox]", "In-app purchases", "$0.99", "More by The Clock",
            "You might also like", "https://store.example/id8\n",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(screen.menu.contains("  b  Buy for $1.99\n"))
        // Nobody writes about what they have not got.
        #expect(!screen.menu.contains("Write a review"))
        let choices: [(String, ItemScreen.Choice?)] = [
            ("", .done), ("q", .done), ("B ", .buy), ("r", .reviews), ("s", .support),
            ("3", .item(8)), ("0", nil), ("4", nil), ("99999999999999999999", nil), ("w", nil),
            ("d", nil), ("p", nil), ("-1", nil), ("-9223372036854775808", nil),
            ("9223372036854775807", nil),
        ]
        for (typed, choice) in choices { #expect(screen.choice(typed) == choice, "\(typed)") }
    }

    @Test func `what keeps the customer from buying takes the place of the button`() {
        var page = Self.page("The Clock")
        page.customer?.needsApproval = true
        #expect(Self.screen(page).text(columns: 300).contains("Ask to Buy"))
        #expect(Self.screen(page).choice("b") == nil)
        page.customer = nil
        page.obstacle = "There is no file yet."
        #expect(Self.screen(page).text(columns: 80).contains("There is no file yet."))
        #expect(Self.screen(page).choice("b") == nil)
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "https://", "https://a@b/", ""])
    func `only addresses of the web are opened`(address: String) {
        #expect(ItemScreen.address(address) == nil)
    }

    @Test(arguments: [10, 20, 37, 80, 500])
    func `no line is wider than the terminal, and nothing draws over the screen`(width: Int) {
        let texts = [
            String(repeating: "word ", count: 900), String(repeating: "x", count: 5000),
            String(repeating: "時計の針は一つ", count: 300), String(repeating: "é👩‍👩‍👧 ", count: 900),
            "a\u{1b}[2Jb\u{9b}31m\rc\u{202E}d\u{2028}e\u{7}",
        ]
        for text in texts {
            let screen = Self.screen(Self.page(text))
            let reviews = ReviewsScreen(
                title: text,
                answer: ItemReviewsAnswer(
                    reviews: [
                        WireReview(
                            reviewId: 1, rating: .max, title: text, body: text, nickname: text,
                            version: nil, date: .min, helpfulVotes: 0, votes: 0, response: text,
                            state: nil)
                    ], page: 1, pages: 2), order: "mosthelpful", texts: Texts(.english))
            let most = max(20, min(width - 4, 100)) + 4
            let shown = [
                screen.text(columns: width), screen.wholeText(.description, columns: width),
                screen.wholeText(.versions, columns: width), reviews.text(columns: width),
            ]
            for line in shown.joined().split(separator: "\n") where line.first != "h" {
                #expect(String(line).terminalText() == String(line))
                #expect(String(line).terminalWidth <= most, "\(line)")
            }
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
