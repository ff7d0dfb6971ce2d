/// Asks again until something is so that no event tells of, such as what another process did.
///
/// - Throws: what the condition throws, and `CancellationError` where the test has ended.
func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
}
