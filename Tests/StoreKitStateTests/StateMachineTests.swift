import Foundation
import Testing

/// The machine takes over all tasks of its process, so it has a process of its own: two at a
/// time, each with runs of its own.
///
/// `STATE_SEED=17 swift test --filter StateMachine` repeats one run, and prints its steps.
@Suite(.timeLimit(.minutes(10))) struct StateMachineTests {
    /// Enough for more than 100,000 steps in more than 1,000 runs.
    private static let parts = 10
    private static let runsOfPart = 101
    private static let steps = 110

    @Test(.enabled(if: seed == nil), arguments: 0..<2)
    func `whatever happens, each payment comes to one end`(lane: Int) async throws {
        var total = MachineSummary()
        for part in stride(from: lane, to: Self.parts, by: 2) {
            let first = 1 + part * Self.runsOfPart
            let machine = try await Machine.run(
                firstSeed: first, runs: Self.runsOfPart, steps: Self.steps)
            try #require(machine.code == 0, "\(machine.output)")
            let summary = try #require(MachineSummary(machine.output))
            #expect(summary.steps == Self.runsOfPart * Self.steps)
            total += summary
        }
        // The runs were what they are meant to be.
        let runs = Self.parts / 2 * Self.runsOfPart
        #expect(total.crashes > runs)
        #expect(total.disconnections > runs)
        #expect(total.transactions > runs)
        print("state machine, \(runs) runs: \(total)")
    }

    @Test(.enabled(if: seed != nil)) func `one run once more`() async throws {
        let machine = try await Machine.run(
            firstSeed: try #require(seed), runs: 1, steps: Self.steps)
        print(machine.output)
        #expect(machine.code == 0)
    }
}

private let seed: Int? = ProcessInfo.processInfo.environment["STATE_SEED"].flatMap { Int($0) }
