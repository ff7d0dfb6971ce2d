import CStoreCurl
import FoundationNetworking

extension URLError {
    /// What libcurl ended with, as apps know it.
    init(_ result: CURLcode, url: URL?) {
        let code: URLError.Code =
            switch result {
            case CURLE_URL_MALFORMAT: .badURL
            case CURLE_UNSUPPORTED_PROTOCOL: .unsupportedURL
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
            case CURLE_COULDNT_CONNECT: .cannotConnectToHost
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
                CURLE_HTTP2, CURLE_HTTP2_STREAM:
                .networkConnectionLost
            case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .badServerResponse
            case CURLE_SSL_CONNECT_ERROR: .secureConnectionFailed
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
                .serverCertificateUntrusted
            default: .networkConnectionLost
            }
        var sentence = String(cString: curl_easy_strerror(result))
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
