import Foundation
import FoundationNetworking
import StoreKit
import StoreTestSupport
import StoreWire
import Testing

@testable import StoreCommands

/// A store whose profile somebody else renews, for another of its addresses, as soon as it has
/// answered a renewal.
private struct BusyStore: RequestTransport {
    private static func profile(_ uuid: String, _ content: String) -> String {
        let content = Data(content.utf8).base64EncodedString()
        return #"{"type":"profiles","id":"AAAAAAAAAA","attributes":{"name":"Dev","#
            + #""profileType":"LINUX_APP_DEVELOPMENT","uuid":"\#(uuid)","#
            + #""profileContent":"\#(content)"}}"#
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let url = try #require(request.url)
        let isRenewal = request.httpMethod == "POST"
        let data =
            isRenewal
            ? Self.profile("own", "for this address") : Self.profile("other", "for another address")
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: isRenewal ? 201 : 200, httpVersion: nil,
                headerFields: ["Content-Type": "application/json"]))
        let isList = url.path.hasSuffix("/profiles")
        return (Data(#"{"data":\#(isList ? "[\(data)]" : data)}"#.utf8), response)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {}
}

@Suite("Renewal of profiles")
struct ProfileRenewalTests {
    @Test func `what is written is the profile that the own request made`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("dev.storeprofile")
        let arguments = try ParsedArguments(
            ["Dev", "--output", file.path], for: ProfileRenew.spec)
        let connect = ConnectContext(
            api: ConnectAPI(
                address: "http://store.example", credential: .none, transport: BusyStore()),
            arguments: arguments, output: .standard, show: ConnectRenderer(arguments, .standard))
        try await ProfileRenew.run(connect)
        #expect(try String(contentsOf: file, encoding: .utf8) == "for this address\n")
        let renewed = try await connect.renew(
            ["type": "profiles", "id": "AAAAAAAAAA", "attributes": ["createdDate": "X"]])
        #expect(renewed.attribute("uuid") == "own" && renewed.attribute("createdDate") == "X")
        #expect(renewed.id == "AAAAAAAAAA" && renewed["type"] == "profiles")
    }
}
