import Synchronization

/// Runs jobs one after the other, in the order in which they came.
///
/// One task takes all of them. A task for each, which waits for the one before, makes a chain:
/// whoever waits for its end with a higher priority has each link raised from within the one
/// before, and thousands of links overflow the stack.
final class JobLine: Sendable {
    typealias Job = @Sendable () async -> Void

    /// What is one job however often it is asked for before it begins.
    enum Repeatable: Sendable {
        case refresh
        case priceConsent
    }

    private struct State {
        var waiting: [Job] = []
        /// What is among them.
        var repeatable: Set<Repeatable> = []
        /// Takes the jobs; nil while there are none.
        var consumer: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Runs a job after all that came before.
    func add(_ job: @escaping Job) {
        state.withLock { add(job, to: &$0) }
    }

    /// The same, unless one of this name waits already.
    func add(once name: Repeatable, _ job: @escaping Job) {
        state.withLock { state in
            guard state.repeatable.insert(name).inserted else { return }
            let beginning: Job = { [self] in
                // Whoever asks from here on may know what this job does not see any more.
                self.state.withLock { _ = $0.repeatable.remove(name) }
                await job()
            }
            add(beginning, to: &state)
        }
    }

    /// A task that ends when everything has that was asked for until now.
    func barrier() -> Task<Void, Never> {
        let (end, isOver) = AsyncStream<Void>.makeStream()
        add { isOver.finish() }
        return Task { for await _ in end {} }
    }

    /// Returns when nothing runs or waits any longer.
    func end() async {
        while let consumer = state.withLock({ $0.consumer }) { await consumer.value }
    }

    private func add(_ job: @escaping Job, to state: inout State) {
        state.waiting.append(job)
        if state.consumer == nil { state.consumer = Task { await run() } }
    }

    private func run() async {
        while let jobs = next() {
            for job in jobs { await job() }
        }
    }

    /// All that waits; nil where that is nothing, with which the consumer ends.
    private func next() -> [Job]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.consumer = nil
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
