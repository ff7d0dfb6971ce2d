import Foundation
import FoundationNetworking
import StoreKit

extension URL {
    /// What a server of this machine answers, which may take as long as it likes.
    func fetched() async throws -> (data: Data, response: HTTPURLResponse) {
        var request = URLRequest(url: self)
        request.timeoutInterval = 3600
        return try await HTTPTransport().send(request)
    }
}
