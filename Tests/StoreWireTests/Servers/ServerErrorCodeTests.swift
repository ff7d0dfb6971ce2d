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

    @Test(arguments: [
        ("{}", true), (#"{"message":null}"#, true), (#"{"other":5}"#, true),
        (#"{"message":{"messageIdentifier":"00000000-0000-4000-8000-000000000000"}}"#, true),
        (#"{"message":{"messageIdentifier":"abc"}}"#, false), (#"{"message":{}}"#, false),
        (#"{"message":"abc"}"#, false),
        (#"{"advancedCommerceInfo":{}}"#, true),
        (
            #"{"promotionalOffer":{"messageIdentifier":"00000000-0000-4000-8000-000000000000"},"#
                + #""alternateProduct":{"messageIdentifier":"#
                + #""00000000-0000-4000-8000-000000000000"}}"#,
            false
        ),
        ("", false), ("[]", false), ("null", false), ("{", false),
    ])
    func `a publisher's choice is one of four things, or nothing`(body: String, isValid: Bool) {
        #expect(RealtimeAnswer.isValid(Data(body.utf8)) == isValid)
    }
}
