/// Knows the sessions in which people use the API: `openstore login` begins one.
package protocol ConnectSessionActors: Sendable {
    /// Who acts in the session of a bearer token; nil for a token of no session, or of one
    /// that has ended.
    func actor(token: String) async throws -> ConnectActor?
}

/// No sessions: programs with keys only.
package struct NoConnectSessions: ConnectSessionActors {
    package init() {}
    package func actor(token: String) async throws -> ConnectActor? { nil }
}
