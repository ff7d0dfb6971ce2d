import FoundationNetworking
import StoreTransport

extension URLError {
    /// Why there is no response, as apps know it.
    init(_ error: TransportError, url: URL?) {
        let code: URLError.Code =
            switch error.code {
            case .address: .badURL
            case .scheme: .unsupportedURL
            case .hostNotFound: .cannotFindHost
            case .unreachable: .cannotConnectToHost
            case .timedOut: .timedOut
            case .invalidResponse, .headerTooLong: .badServerResponse
            case .bodyTooLong: .dataLengthExceedsMaximum
            case .tooManyRedirects: .httpTooManyRedirects
            case .secureConnection: .secureConnectionFailed
            case .certificate: .serverCertificateUntrusted
            case .cancelled: .cancelled
            case .unavailable: .cannotLoadFromNetwork
            default: .networkConnectionLost
            }
        var sentence = error.description
        if code == .serverCertificateUntrusted || code == .secureConnectionFailed {
            // The usual reason why a certificate that everybody trusts is refused.
            let now = Date().formatted(.iso8601)
            sentence += ". This device's clock says \(now); if that is wrong, set it"
        }
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        userInfo[NSURLErrorFailingURLErrorKey] = url
        self.init(code, userInfo: userInfo)
    }
}
