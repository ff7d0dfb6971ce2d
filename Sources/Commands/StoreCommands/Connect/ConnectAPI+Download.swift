import Foundation
import FoundationNetworking
import StoreKit

extension ConnectAPI {
    /// Gets something into a file, piece by piece. The file is there when it is whole.
    ///
    /// - Returns: the header of the answer.
    /// - Throws: `ConnectFailure`, `CommandFailure` for a file that can't be written.
    func download(
        _ path: String, _ query: [String: String] = [:], to file: URL
    ) async throws -> HTTPURLResponse {
        var request = try request("GET", path, query)
        // The store writes all of it before it sends the first byte.
        request.timeoutInterval = 1800
        let part = file.appendingPathExtension("part")
        guard FileManager.default.createFile(atPath: part.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: part)
        else {
            throw CommandFailure(
                description: "\(file.path) can't be written", exitCode: .notCreated)
        }
        defer { try? FileManager.default.removeItem(at: part) }
        let response = try await stream(request) { try handle.write(contentsOf: $0) }
        try handle.close()
        guard response.statusCode == 200 else {
            throw ConnectFailure.noStore(at: address, status: response.statusCode)
        }
        guard rename(part.path, file.path) == 0 else {
            throw CommandFailure(
                description: "\(file.path) can't be written", exitCode: .notCreated)
        }
        return response
    }
}
