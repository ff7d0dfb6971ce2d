import Foundation
import StoreTestSupport

/// The program `StoreStateMachine`, run to its end.
struct Machine {
    let output: String
    let code: Int32

    /// - Parameter firstSeed: of the first run; each run has the next one.
    static func run(firstSeed: Int, runs: Int, steps: Int) async throws -> Machine {
        let program = URL(fileURLWithPath: "/proc/self/exe")
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("StoreStateMachine")
        // Sets and dictionaries in the same order each time.
        let environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        let arguments = [firstSeed, runs, steps].map(String.init) + [memory]
        let run = try await ChildProgram.run(program.path, arguments, environment: environment)
        return Machine(output: String(decoding: run.output, as: UTF8.self), code: run.status)
    }

    /// A folder in memory where there is one: nothing here has to outlive a power failure.
    private static var memory: String {
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }
}

/// What the last line of the machine's output says.
struct MachineSummary: CustomStringConvertible {
    var steps = 0
    var launches = 0
    var crashes = 0
    var disconnections = 0
    var transactions = 0

    init() {}

    init?(_ output: String) {
        var values: [String: Int] = [:]
        for field in (output.split(separator: "\n").last ?? "").split(separator: " ") {
            let parts = field.split(separator: "=")
            if parts.count == 2 { values[String(parts[0])] = Int(parts[1]) }
        }
        guard let steps = values["steps"], let launches = values["launches"],
            let crashes = values["crashes"], let disconnections = values["disconnections"],
            let transactions = values["transactions"]
        else { return nil }
        self.steps = steps
        self.launches = launches
        self.crashes = crashes
        self.disconnections = disconnections
        self.transactions = transactions
    }

    static func += (left: inout MachineSummary, right: MachineSummary) {
        left.steps += right.steps
        left.launches += right.launches
        left.crashes += right.crashes
        left.disconnections += right.disconnections
        left.transactions += right.transactions
    }

    var description: String {
        "\(steps) steps, \(launches) launches, \(crashes) crashes, "
            + "\(disconnections) disconnections, \(transactions) transactions"
    }
}
