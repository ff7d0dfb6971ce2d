import StoreTestSupport
import Testing

@testable import StoreAPI

@Suite struct KeptAnswersTests {
    @Test func `what was kept is given until the storefront changes`() {
        let kept = KeptAnswers<String, Int>(room: 1000)
        kept.keep(1, size: 10, for: "a", at: 5)
        #expect(kept.value(for: "a", at: 5) == 1)
        #expect(kept.value(for: "b", at: 5) == nil)
        #expect(kept.value(for: "a", at: 6) == nil)
        kept.keep(2, size: 10, for: "b", at: 6)
        #expect(kept.value(for: "a", at: 6) == nil)
        #expect(kept.value(for: "b", at: 6) == 2)
        // Somebody was slow, and has an answer of before.
        kept.keep(3, size: 10, for: "b", at: 5)
        #expect(kept.value(for: "b", at: 6) == 2)
    }

    @Test func `what is asked for stays, the rest goes, and the room is not exceeded`() {
        let kept = KeptAnswers<Int, Int>(room: 1000)
        kept.keep(0, size: 100, for: 0, at: 1)
        for number in 1...100 {
            kept.keep(number, size: 100, for: number, at: 1)
            #expect(kept.value(for: 0, at: 1) == 0)
        }
        let left = (0...100).filter { kept.value(for: $0, at: 1) != nil }
        #expect(left.count <= 13 && left.contains(0) && left.contains(100))
    }

    @Test func `what is too large is not kept`() {
        let kept = KeptAnswers<Int, Int>(room: 1000)
        kept.keep(1, size: 126, for: 1, at: 1)
        kept.keep(2, size: 125, for: 2, at: 1)
        #expect(kept.value(for: 1, at: 1) == nil)
        #expect(kept.value(for: 2, at: 1) == 2)
    }
}
