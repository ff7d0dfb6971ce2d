import StoreKernel
import StoreTestSupport
import Testing

@Suite struct ListenerTests {
    @Test func `the last one hears of everything, however much it is`() {
        let news = Listener<Int>()
        news.tell(1)
        let (first, last) = (Counter(), Counter())
        news.set { _ in _ = first.next() }
        news.tell(1)
        news.set { _ in _ = last.next() }
        for number in 1...200_000 { news.tell(number) }
        #expect(first.value == 1 && last.value == 200_000)
    }
}
