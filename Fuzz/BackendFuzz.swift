import Foundation
import FoundationNetworking
import StoreCore
import StoreModel
import StoreSecurity

@testable import StoreAPI
@testable import StoreContent
@testable import StoreKit
@testable import StoreServer
@testable import StoreWire

private let server = FuzzSocket()
private let folder = scratchFolder("backend")
private let client: ObjectClient = must {
    var retryPolicy = ObjectRetryPolicy()
    retryPolicy.attempts = 2
    retryPolicy.sleep = { _ in }
    retryPolicy.now = { SampleAuthority.date }
    return ObjectClient(
        try ObjectLocation("s3://bucket/prefix?endpoint=http://127.0.0.1:\(server.port)"),
        credentials: ObjectCredentials(accessKey: "id", secret: "secret"), retryPolicy: retryPolicy)
}
private let publisher = WebhookClient(targets: .anywhere, timeout: .seconds(2))
private let transport = HTTPTransport(silence: 2)

/// Asks other services, which answer anything. The first byte says what is asked: an object store
/// (by the number), a publisher's server (`p`), or a server that a device asks (`d`); with `x` the
/// others are the XML of an object store, with `r` a publisher's choice of a message, and nobody is
/// asked.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBackend(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let question = input.byte()
    let answers = input
    switch question {
    case UInt8(ascii: "x"): readMarkup(input.all())
    case UInt8(ascii: "r"): _ = RealtimeAnswer.isValid(input.all())
    case UInt8(ascii: "p"):
        server.take(answers)
        wait {
            let answer = await publisher.ask(
                Data("{}".utf8), of: "http://127.0.0.1:\(server.port)/", within: .seconds(2))
            if let answer { _ = RealtimeAnswer.isValid(answer.body) }
        }
    case UInt8(ascii: "d"):
        server.take(answers)
        let url = URL(string: "http://127.0.0.1:\(server.port)/a")!
        wait {
            let answer = try? await transport.send(URLRequest(url: url), limit: 1 << 16)
            demand((answer?.0.count ?? 0) <= 1 << 16, "an answer is too long")
        }
    default:
        server.take(answers)
        do { try ask(question) } catch {
            demand(!"\(error)".isEmpty, "an error says nothing")
        }
    }
    return 0
}

private func ask(_ question: UInt8) throws {
    switch question % 10 {
    case 0: _ = try client.length(of: "a")
    case 1: _ = try client.data(of: "a", limit: 1000)
    case 2:
        var count: UInt64 = 0
        let isThere = try client.read("a", 5..<15) { count += UInt64($0.count) }
        demand(!isThere || count == 10, "\(count) bytes of 10 are there")
    case 3: try client.store(Data("a".utf8), as: "a")
    case 4: try client.storeFirst(Data("a".utf8), as: "a")
    case 5: try client.remove("a")
    case 6: _ = try client.refresh("a")
    case 7:
        try client.list("a") { demand($0.length >= 0, "a length below zero") }
        _ = try client.folders("a")
    case 8: _ = try client.abandonParts(before: SampleAuthority.date)
    default:
        let file = folder.appendingPathComponent("file")
        let bytes = Data(repeating: 7, count: 30)
        try bytes.write(to: file)
        try client.store(
            file: file, as: "a", digest: ContentDigest(SHA256Digest.hex(bytes))!, partSize: 20)
    }
}

private func readMarkup(_ data: Data) {
    var answer = ObjectAnswer(status: 404, body: data)
    _ = answer.saysMissing
    if let markup = try? ObjectMarkup(data, repeated: ["Contents", "CommonPrefixes", "Upload"]) {
        for fields in markup.records.map(\.fields) + [markup.fields] {
            for value in fields.values { _ = ObjectMarkup.date(value)?.description }
        }
    }
    answer.headers = ["date": "Fri, 31 Dec 9999 23:59:59 GMT"]
    let refusal = ObjectRefusal(answer, ObjectRequest("GET", "a"), client).error.description
    demand(!refusal.unicodeScalars.contains { $0.steersTerminals }, "a log gets \(refusal)")
}
