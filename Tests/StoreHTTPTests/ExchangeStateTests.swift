import Testing

@testable import StoreHTTP

@Suite struct ExchangeStateTests {
    private static let states: [ExchangeState] =
        [.header, .admission] + ExchangeState.Body.allCases.map { .body($0) } + [.work, .answer]

    @Test func `a state leads to what the table says, and to nothing else`() {
        let table: [ExchangeState: Set<ExchangeState>] = [
            .header: [.admission, .body(.kept), .answer],
            .admission: [.body(.kept), .answer],
            .body(.kept): [.body(.kept), .body(.tooLarge), .body(.failed), .work, .answer],
            .body(.tooLarge): [.body(.tooLarge), .answer],
            .body(.failed): [.body(.failed), .body(.tooLarge), .answer],
            .work: [.answer],
            .answer: [],
        ]
        for state in Self.states {
            #expect(Set(Self.states.filter { state.leads(to: $0) }) == table[state], "\(state)")
        }
    }

    @Test func `others see what the connection does`() {
        #expect(
            Self.states.map(\.phase)
                == [nil, .working, .body, .body, .body, .working, .answering])
    }
}
