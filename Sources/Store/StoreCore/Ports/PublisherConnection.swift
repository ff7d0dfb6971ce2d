import Foundation

/// The way to publishers' servers.
package protocol PublisherConnection: Sendable {
    /// Posts a JSON object.
    ///
    /// - Parameter url: as the publisher gave it; looked at again before anything is sent.
    /// - Returns: nil where the task was cancelled: what came of it is not known then.
    func post(_ body: Data, to url: String) async -> SendOutcome?

    /// Posts a JSON object, and reads the answer.
    ///
    /// - Parameters:
    ///   - url: as above.
    ///   - timeout: until the answer has come to its end.
    /// - Returns: nil where the task was cancelled.
    func ask(_ body: Data, of url: String, within timeout: Duration) async -> SendAnswer?
}

/// What came of asking a publisher's server.
package struct SendAnswer: Sendable, Hashable {
    package var outcome: SendOutcome
    /// What the server has answered; empty where there was nothing, or too much.
    package var body: Data

    package init(_ outcome: SendOutcome, body: Data = Data()) {
        self.outcome = outcome
        self.body = body
    }
}
