import StoreCore
import Testing

@Suite struct ReviewDraftTests {
    private static let fine = ReviewDraft(
        rating: 4, title: "Fine", body: "Read it\nin a day.", nickname: "Ada")

    @Test func `a draft is kept without space around its texts`() throws {
        let draft = ReviewDraft(rating: 5, title: " Fine\n", body: "\tGood. ", nickname: " Ada ")
        #expect(
            try draft.checked()
                == ReviewDraft(rating: 5, title: "Fine", body: "Good.", nickname: "Ada"))
        #expect(try Self.fine.checked() == Self.fine)
    }

    @Test func `the longest texts fit`() throws {
        let draft = ReviewDraft(
            rating: 1, title: String(repeating: "t", count: 100),
            body: String(repeating: "é", count: 6000), nickname: String(repeating: "字", count: 40))
        #expect(try draft.checked() == draft)
    }

    @Test func `stars alone need no name`() throws {
        #expect(try ReviewDraft(rating: 3).checked() == ReviewDraft(rating: 3))
    }

    @Test(arguments: [-1, 0, 6, Int.max, Int.min])
    func `no other stars`(rating: Int) {
        let error = #expect(throws: ReviewRefusal.self) {
            try ReviewDraft(rating: rating).checked()
        }
        #expect(error == .rating(rating))
        #expect(error?.field == "rating")
    }

    static let wrong: [(ReviewDraft, String, String)] = [
        (change { $0.title = String(repeating: "t", count: 101) }, "title", "textLength"),
        (change { $0.body = String(repeating: "b", count: 6001) }, "body", "textLength"),
        (change { $0.nickname = String(repeating: "n", count: 41) }, "nickname", "textLength"),
        // One character of very many bytes.
        (
            change { $0.nickname = "n" + String(repeating: "\u{301}", count: 5000) }, "nickname",
            "textLength"
        ),
        (change { $0.nickname = " " }, "nickname", "textMissing"),
        (change { $0.title = "a\u{0}b" }, "title", "textCharacters"),
        (change { $0.title = "two\nlines" }, "title", "textCharacters"),
        (change { $0.nickname = "two\nlines" }, "nickname", "textCharacters"),
        (change { $0.body = "a\u{1B}[31mb" }, "body", "textCharacters"),
        (change { $0.nickname = "\u{202E}adA" }, "nickname", "textDirection"),
        (change { $0.body = "a\u{2066}b" }, "body", "textDirection"),
    ]

    private static func change(_ make: (inout ReviewDraft) -> Void) -> ReviewDraft {
        var draft = fine
        make(&draft)
        return draft
    }

    @Test(arguments: wrong)
    func `a wrong text is refused by its field and rule`(
        draft: ReviewDraft, field: String, rule: String
    ) {
        let error = #expect(throws: ReviewRefusal.self) { try draft.checked() }
        #expect(error?.field == field)
        #expect(error?.rule == rule)
    }
}
