import FoundationNetworking

/// Carries requests to the store.
package protocol RequestTransport: Sendable {
    /// Sends a request and reads the whole answer, which has 8 MB at most.
    ///
    /// - Throws: `URLError`.
    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse)

    /// Sends a request and reads the whole answer.
    ///
    /// - Parameter limit: bytes that it has at most.
    /// - Throws: `URLError`.
    func send(_ request: URLRequest, limit: Int) async throws -> (Data, HTTPURLResponse)

    /// Sends a request and hands over the answer piece by piece.
    ///
    /// - Parameters:
    ///   - accept: sees the header of the answer first; what it throws ends the transfer.
    ///   - sink: gets the pieces in order; what it throws ends the transfer.
    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws
}

extension RequestTransport {
    /// As ``send(_:)``, for what stands before another transport and looks at sizes no more than
    /// that one does.
    package func send(
        _ request: URLRequest, limit: Int
    ) async throws -> (Data, HTTPURLResponse) {
        try await send(request)
    }
}
