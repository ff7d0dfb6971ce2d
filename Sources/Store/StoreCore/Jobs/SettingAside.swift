/// How a row that can't be dealt with is kept from keeping others waiting, as a dead letter is.
package enum SettingAside {
    /// Characters of a reason.
    private static let length = 500

    /// Why a row is set aside by an error; `nil` where the error says nothing about the row: the
    /// database is away, or whoever works is to stop.
    package static func reason(for error: any Error) -> String? {
        if error is CancellationError { return nil }
        if let failure = error as? any StoreFailure, !failure.isOfRows { return nil }
        return String(String(describing: error).prefix(length))
    }

    /// Does something with each of some rows, in a transaction of its own. Several at once share a
    /// commit.
    ///
    /// - Parameters:
    ///   - body: says whether it did something.
    ///   - setAside: writes down that one can't be dealt with, and why.
    /// - Returns: `done` counts the rows for which `body` gave true; `problems` names each row that was set
    ///   aside, and why.
    static func each<ID: Sendable>(
        _ rows: [ID], _ body: @escaping @Sendable (ID) async throws -> Bool,
        setAside: @escaping @Sendable (ID, _ reason: String) async throws -> Void
    ) async throws -> (done: Int, problems: [String]) {
        try await withThrowingTaskGroup(
            of: Result<Bool, Problem>.self, returning: (done: Int, problems: [String]).self
        ) { group in
            for row in rows {
                group.addTask {
                    do {
                        return .success(try await body(row))
                    } catch {
                        guard let reason = Self.reason(for: error) else { throw error }
                        try await setAside(row, reason)
                        return .failure(Problem(text: "\(row): \(reason)"))
                    }
                }
            }
            return try await group.reduce(into: (0, [])) { sum, result in
                switch result {
                case .success(let isDone): sum.done += isDone ? 1 : 0
                case .failure(let problem): sum.problems.append(problem.text)
                }
            }
        }
    }

    private struct Problem: Error {
        let text: String
    }
}

/// Some rows were set aside; everything else that was due is done.
package struct RowsSetAside: Error, Sendable, Hashable, CustomStringConvertible {
    /// What they are, in the plural.
    let what: String
    /// The number of each, and what is wrong with it.
    let problems: [String]

    package var description: String {
        "\(problems.count) \(what) can't be dealt with and were set aside (openstore doctor lists "
            + "them): \(problems.prefix(5).joined(separator: "; "))"
    }
}
