import FoundationNetworking
import StoreSecurity
import StoreTransport

@testable import StoreHTTP
@testable import StoreKit
@testable import StoreModel

private let url = URL(string: "http://127.0.0.1:8080/sandbox/a")!
private let request = TransportRequest(
    "GET", url.absoluteString, headers: [("Authorization", "token")])

/// Reads the lines of a header as the framework does, from a server's answer, and as the store
/// does, from a request.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeader(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let data = input.all()
    readAnswer(data)
    readRequest(data)
    return 0
}

private func readAnswer(_ data: Data) {
    var header = ResponseHeader(limit: 64 << 10)
    for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        guard Data(line).withUnsafeBytes({ header.take($0) }) else { return }
    }
    guard let answer = header.response(from: request.url) else { return }
    demand((100...999).contains(answer.status), "the status is \(answer.status)")
    if let next = try? Redirection.request(after: request, answer) {
        let place = URL(string: next.url)
        let isSame =
            place?.host == url.host && place?.port == url.port && place?.scheme == url.scheme
        demand(isSame || next.headers.isEmpty, "a token is sent to another server")
        demand(place?.scheme.map { ["http", "https"].contains($0) } ?? false, "another scheme")
    }
    guard
        let response = HTTPURLResponse(
            url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.fields)
    else { return }
    _ = (response.expectedContentLength, response.mimeType, response.suggestedFilename)
    func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    let lifetime = StoreClient.lifetime(field("Cache-Control"))
    demand((0...86_400).contains(lifetime), "an answer is good for \(lifetime) seconds")
    for name in ["Date", "Expires", "Last-Modified", "Retry-After", "Age"] {
        _ = field(name).flatMap(HTTPDate.parse)?.description
    }
    let freshness = HTTPFreshness(
        cacheControl: field("Cache-Control"), expires: field("Expires"), date: field("Date"),
        age: field("Age"), vary: field("Vary"), requestTime: SampleAuthority.date,
        responseTime: SampleAuthority.date)
    _ = freshness.isFresh(at: SampleAuthority.date.addingTimeInterval(60))
    _ = (freshness.forbidsStorage, freshness.forbidsStaleUse)
}

private func readRequest(_ data: Data) {
    var fields = HTTPHeaders()
    for line in data.split(separator: UInt8(ascii: "\n")) {
        let sides = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard sides.count == 2 else { continue }
        fields.append(
            String(decoding: sides[0], as: UTF8.self),
            String(decoding: sides[1], as: UTF8.self).trimmingCharacters(in: .whitespaces))
    }
    for length: UInt64 in [0, 1, 100, .max] {
        let range = ByteRange(header: fields["Range"], length: length)
        for part in [range, range.within(10)] {
            if case .part(let bytes) = part {
                demand(
                    !bytes.isEmpty && bytes.upperBound <= length,
                    "a range of \(length) bytes is \(bytes)")
            }
        }
    }
    let request = HTTPRequest(method: "GET", path: "/", headers: fields, peer: "127.0.0.1")
    let origin = request.origin
    demand(!origin.utf8.contains { "<>\"'&?#@\\ ".utf8.contains($0) }, "the origin is \(origin)")
    if let trusted = request.trustedOrigin(isSecure: true) {
        demand(URL(string: trusted)?.host != nil, "the trusted origin is \(trusted)")
    }
    _ = (request.clientAddress, request.isForwarded)
    _ = (request.trustedOrigin(isSecure: true), request.clientAddress, request.isForwarded)
    for value in fields.fields.map(\.value) {
        if let set = AddressSet(value), let address = request.client { _ = set.contains(address) }
        if let address = IPAddress(value) {
            demand(IPAddress(address.text) == address, "the address \(address.text) changed")
        }
    }
}
