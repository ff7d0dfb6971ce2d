import Foundation
import Synchronization

/// The connection pool of one database. It makes a connection where none is free, and keeps it for the next
/// caller.
///
/// Who finds all of them in use waits, a limited time.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [SendableConnection] = []
        var isClosed = false
    }

    /// A connection between two users.
    private struct SendableConnection: @unchecked Sendable {
        // Sendable: whoever takes it out is its only user until it is given back.
        let value: PostgresConnection
    }

    private let address: PostgresAddress
    private let state = Mutex(State())
    private let slots: DispatchSemaphore
    private let acquireTimeout: DispatchTimeInterval

    /// - Parameters:
    ///   - limit: how many connections there are at most.
    ///   - acquireTimeout: how long somebody waits for one.
    init(
        _ address: PostgresAddress, limit: Int, acquireTimeout: DispatchTimeInterval = .seconds(10)
    ) {
        self.address = address
        self.acquireTimeout = acquireTimeout
        slots = DispatchSemaphore(value: limit)
    }

    /// Lends a connection.
    ///
    /// - Throws: `SQLError`, with the code `busy` where none became free, and what `body` throws.
    func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        guard slots.wait(timeout: .now() + acquireTimeout) == .success else {
            throw SQLError(
                code: .busy, "all connections to the database are in use for too long")
        }
        defer { slots.signal() }
        let connection = try takeIdle() ?? PostgresConnection(address)
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// One that the server has not ended meanwhile: a commit that is lost with its connection
    /// would leave open whether it was written.
    private func takeIdle() throws -> PostgresConnection? {
        while true {
            let (kept, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
            guard !isClosed else { throw SQLError.stopping }
            guard let kept else { return nil }
            if !kept.value.hasBeenLeft { return kept.value }
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        guard !connection.isBroken else {
            // The server ended it, and perhaps the others with it: each would cost an attempt.
            state.withLock { $0.idle.removeAll() }
            return
        }
        let returned = SendableConnection(value: connection)
        state.withLock { state in
            if !state.isClosed { state.idle.append(returned) }
        }
    }

    /// Closes those that nobody uses, and the others when they come back.
    func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        _ = idle
    }
}
