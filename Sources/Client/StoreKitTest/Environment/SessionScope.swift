import StoreKit
import Synchronization

/// Where there is one session at a time: the process, or the tasks of one test.
final class SessionScope: Sendable {
    static let process = SessionScope(firstEngine: nil, date: nil)
    @TaskLocal private static var ofTask: SessionScope?
    /// That of the calling task.
    static var current: SessionScope { ofTask ?? process }

    /// What calls of StoreKit go to before there is a session; `nil` for the process's.
    let firstEngine: PaymentEngine?
    /// When its sessions begin; `nil` for the machine's time.
    let date: Date?
    private let state = Mutex<SKTestSession?>(nil)

    private init(firstEngine: PaymentEngine?, date: Date?) {
        self.firstEngine = firstEngine
        self.date = date
    }

    /// The newest session of this place.
    var session: SKTestSession? { state.withLock { $0 } }

    /// - Returns: the session that was there before.
    func enter(_ session: SKTestSession) -> SKTestSession? {
        state.withLock { state in
            defer { state = session }
            return state
        }
    }

    /// Runs a body with a new place. The tasks that the body starts have the same place. Its last
    /// session ends with the body.
    static func withOwn<Result>(
        at date: Date?, isolation: isolated (any Actor)?, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let engine = PaymentEngine {
            throw SKError(
                .clientInvalid,
                userInfo: [NSLocalizedDescriptionKey: "This test has no session yet."])
        }
        let place = SessionScope(firstEngine: engine, date: date)
        do {
            let result = try await PaymentEngine.$ofTask.withValue(engine) {
                try await $ofTask.withValue(place) { try await body() }
            }
            await place.end()
            return result
        } catch {
            await place.end()
            throw error
        }
    }

    private func end() async {
        guard let firstEngine else { return }
        let leaving = firstEngine.end()
        let last = state.withLock { $0.take() }
        await last?.environment.end(after: leaving).value
        await leaving.value
    }
}
