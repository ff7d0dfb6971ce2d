import Foundation
import StoreModel
import StoreTransport
import Synchronization

/// Speaks to one bucket of an object store, by S3's protocol. Blocks; for any thread.
///
/// What may go better when it is tried again is tried again, within `ObjectRetryPolicy`.
package final class ObjectClient: Sendable {
    package let location: ObjectLocation
    let retryPolicy: ObjectRetryPolicy
    let signature: RequestSignature
    private let http: HTTPClient
    private let condition = Mutex(Condition())

    /// What has to go well before the first request: a field for the reason that `Listener` has.
    private struct Condition {
        var look: (@Sendable () throws -> Void)?
    }

    package init(
        _ location: ObjectLocation, credentials: ObjectCredentials,
        retryPolicy: ObjectRetryPolicy = ObjectRetryPolicy()
    ) {
        self.location = location
        self.retryPolicy = retryPolicy
        signature = RequestSignature(credentials: credentials, region: location.region)
        var configuration = HTTPClient.Configuration()
        configuration.authorities = location.authorities
        http = HTTPClient(configuration)
    }

    /// Has something looked at before the next request, until it has gone well once.
    ///
    /// - Parameter look: throws what the request ends with; may run on several threads at once.
    func require(_ look: @escaping @Sendable () throws -> Void) {
        condition.withLock { $0.look = look }
    }

    /// Sends a request until it succeeds, or it is known that it does not.
    ///
    /// - Throws: `ObjectStoreError`, or what the request's sink throws.
    func send(_ request: ObjectRequest) throws -> ObjectAnswer {
        let attempts = request.isUrgent ? min(2, retryPolicy.attempts) : retryPolicy.attempts
        var failures = 0
        while true {
            do {
                let answer = try attempt(request)
                if (200...299).contains(answer.status) || request.expected.contains(answer.status) {
                    return answer
                }
                failures += 1
                guard Self.isPassing(answer), failures < attempts else {
                    throw ObjectRefusal(answer, request, self).error
                }
            } catch let error as TransportError {
                failures += 1
                guard Self.isPassing(error), failures < attempts else { throw failure(error) }
            }
            retryPolicy.sleep(retryPolicy.delay(after: failures))
        }
    }

    /// Sends a request for bytes once, for who goes on by another one.
    func sendOnce(_ request: ObjectRequest) throws -> ObjectAnswer {
        do {
            let answer = try attempt(request)
            if request.expected.contains(answer.status) { return answer }
            guard request.isAnswered(by: answer) else {
                if Self.isPassing(answer) {
                    throw ObjectStoreError(
                        .unreachable, ObjectRefusal(answer, request, self).error.description)
                }
                throw ObjectRefusal(answer, request, self).error
            }
            return answer
        } catch let error as TransportError {
            throw failure(error)
        }
    }

    private func failure(_ error: TransportError) -> ObjectStoreError {
        if error.code == .unreadableBody {
            return ObjectStoreError(.disk, error.description + ".")
        }
        return ObjectStoreError(
            Self.isPassing(error) ? .unreachable : .answer,
            "The object store at \(location.endpoint.absoluteString) can't be reached: "
                + "\(error.description).")
    }

    private func attempt(_ request: ObjectRequest) throws -> ObjectAnswer {
        if let look = condition.withLock({ $0 }).look {
            try look()
            condition.withLock { $0.look = nil }
        }
        let host = location.host(location.endpoint)
        let path = location.path(request.key)
        let query = RequestSignature.encoded(request.query)
        // Signed anew each time: a signature is good for some minutes.
        let headers = signature.headers(
            request.method, host: host, path: path, query: request.query,
            headers: request.headers, payload: request.payload, at: retryPolicy.now())
        let scheme = location.endpoint.scheme ?? "https"
        let url = "\(scheme)://\(host)\(path)\(query.isEmpty ? "" : "?" + query)"
        return try perform(
            request,
            TransportRequest(
                request.method, url, headers: headers + [("User-Agent", "OpenStore")],
                body: request.body, limits: request.limits))
    }

    /// Sends a request, and gives bytes that are wanted to its sink, others to the answer.
    private func perform(
        _ request: ObjectRequest, _ outgoing: TransportRequest
    ) throws -> ObjectAnswer {
        var answer = ObjectAnswer()
        var hasBegun = false
        _ = try http.perform(
            outgoing, accept: { answer = ObjectAnswer($0) },
            sink: { bytes in
                if let sink = request.sink, request.isAnswered(by: answer) {
                    if !hasBegun { try request.began?(answer) }
                    hasBegun = true
                    return try sink(bytes)
                }
                guard answer.body.count + bytes.count <= ObjectMarkup.limit else {
                    throw ObjectStoreError(.answer, "The object store's answer is too long.")
                }
                answer.body.append(contentsOf: bytes)
            })
        return answer
    }

    /// What may go better when it is tried again.
    private static func isPassing(_ error: TransportError) -> Bool {
        [
            .unreachable, .timedOut, .connectionLost, .noResponse, .truncated, .hostNotFound,
            .protocolViolation, .secureConnection,
        ].contains(error.code)
    }

    private static func isPassing(_ answer: ObjectAnswer) -> Bool {
        if [408, 429, 500, 502, 503, 504].contains(answer.status) { return true }
        // S3 says so to a body that came too slowly.
        return answer.status == 400
            && (try? ObjectMarkup(answer.body))?.fields["Code"] == "RequestTimeout"
    }

    /// An address at which somebody without a key can do one thing for a while.
    ///
    /// - Parameter lifetime: seconds.
    package func address(
        _ method: String, _ key: String, query: [(String, String)] = [], lifetime: Int
    ) -> String {
        let host = location.host(location.publicEndpoint)
        let path = location.path(location.prefix + key)
        let signed = signature.query(
            method, host: host, path: path, query: query, lifetime: lifetime, at: retryPolicy.now())
        return "\(location.publicEndpoint.scheme ?? "https")://\(host)\(path)?\(signed)"
    }
}

/// What an answer that is no success means.
struct ObjectRefusal {
    let error: ObjectStoreError

    init(_ answer: ObjectAnswer, _ request: ObjectRequest, _ client: ObjectClient) {
        let location = client.location
        let markup = (try? ObjectMarkup(answer.body)).flatMap { $0.root == "Error" ? $0 : nil }
        let place = "The object store at \(location.endpoint.absoluteString)"
        let code = Self.shown(markup?.fields["Code"] ?? "status \(answer.status)")
        error =
            switch code {
            case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken",
                "InvalidClientTokenId", "InvalidSecurity", "AuthFailure":
                ObjectStoreError(
                    .credentials,
                    "\(place) does not take \(client.signature.credentials) (\(code)). Check "
                        + "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.")
            case "NoSuchBucket":
                ObjectStoreError(
                    .bucket, "\(place) has no bucket \(location.bucket). Make it first.")
            case "RequestTimeTooSkewed", "RequestExpired":
                ObjectStoreError(
                    .clock,
                    "\(place) says that the clock of this machine is wrong"
                        + "\(Self.difference(answer, client.retryPolicy.now())). Set it.")
            case "PermanentRedirect", "AuthorizationHeaderMalformed", "TemporaryRedirect",
                "IllegalLocationConstraintException":
                ObjectStoreError(
                    .region,
                    "\(place) has the bucket \(location.bucket) in another region than "
                        + "\(location.region)"
                        + "\(Self.region(markup, answer).map { ": \($0)" } ?? ""). "
                        + "Say region=NAME.")
            case "AccessDenied", "status 403", "AllAccessDisabled":
                ObjectStoreError(
                    .denied,
                    "\(place) does not let \(client.signature.credentials) do \(request.method) "
                        + "in the bucket \(location.bucket). Let its policy allow reading, writing, "
                        + "listing and deleting there.")
            case "NoSuchKey", "NoSuchUpload":
                ObjectStoreError(.missing, "\(place) has no \(request.key).")
            case "XAmzContentSHA256Mismatch", "BadDigest":
                ObjectStoreError(.damaged, "\(request.key) has other bytes than its name says.")
            case _ where answer.status >= 500 || answer.status == 429:
                ObjectStoreError(.unreachable, "\(place) can't do it now: \(code).")
            default:
                ObjectStoreError(.answer, "\(place) answered \(request.method) with: \(code).")
            }
    }

    /// Names as codes have them; what comes from elsewhere is not let into a line of the log.
    private static func shown(_ text: String) -> String {
        String(text.prefix(80).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") })
    }

    private static func region(_ markup: ObjectMarkup?, _ answer: ObjectAnswer) -> String? {
        (markup?.fields["Region"] ?? answer.headers["x-amz-bucket-region"]).map {
            String($0.prefix(40).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        }
    }

    private static func difference(_ answer: ObjectAnswer, _ now: Date) -> String {
        guard let theirs = answer.headers["date"].flatMap(HTTPDate.parse) else { return "" }
        // Their clock may say any year.
        let minutes = min(now.timeIntervalSince(theirs).magnitude / 60, 1e9)
        return " by \(Int(minutes)) minutes"
    }
}
