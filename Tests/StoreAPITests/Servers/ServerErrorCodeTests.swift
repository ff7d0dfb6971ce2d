@testable import StoreAPI
import Foundation
import StoreWire
import Testing

@Suite struct ServerErrorCodeTests {
    @Test func `all numbers of Apple's are known, each with a sentence of its own`() {
        #expect(ServerErrorCode.allCases.count == 87)
        #expect(Set(ServerErrorCode.allCases.map(\.sentence)).count == 87)
        #expect(
            Set(ServerErrorCode.allCases.map(\.status)) == [400, 403, 404, 409, 429, 500])
    }

    @Test func `the bodies of errors have two members`() throws {
        for code in ServerErrorCode.allCases {
            let body = try WireCoding.encode(ServerAPIError(code, "not for the body"))
            #expect(
                try JSONValue(reading: body) == [
                    "errorCode": .integer(code.rawValue), "errorMessage": .string(code.sentence),
                ])
        }
    }
}
