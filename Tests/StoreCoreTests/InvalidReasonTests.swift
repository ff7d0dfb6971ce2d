import StoreCore
import StoreModel
import Testing

@Suite struct InvalidReasonTests {
    static let all: [InvalidReason] = [
        .unknownIdentifier(similar: Situation.badge), .unknownIdentifier(similar: nil),
        .notApproved(.inReview), .removedFromSale, .missingMetadata, .waitingForContent,
        .notInStorefront("FRA"), .wildcardApplicationIdentifier(ApplicationIdentifier("*")!),
        .profileWrong("it is made for another app"), .profileOutOfDate,
        .noPaidAgreement(team: "Example"), .binaryRejected(.rejected),
        .binaryRejected(.developerRejected),
    ]

    /// The words of a message that say what to do. A new reason doesn't compile here
    /// until it has some.
    private static func advice(_ reason: InvalidReason) -> String {
        switch reason {
        case .unknownIdentifier(let similar?): "did you mean \(similar)?"
        case .unknownIdentifier(nil): "check the spelling"
        case .notApproved: "Submit it for review"
        case .removedFromSale: "put it on sale again"
        case .missingMetadata: "complete it first"
        case .waitingForContent: "upload it"
        case .notInStorefront: "make it available there"
        case .wildcardApplicationIdentifier: "needs an explicit application identifier"
        case .profileWrong: "make one for this app"
        case .profileOutOfDate: "make a new one"
        case .noPaidAgreement: "the team must accept it"
        case .binaryRejected: "submit a new one"
        }
    }

    @Test(arguments: all)
    func `the message says what to do`(reason: InvalidReason) {
        #expect(reason.message.contains(Self.advice(reason)))
        #expect(!reason.message.contains("\n"))
    }

    @Test func `the message names what it is about`() {
        #expect(InvalidReason.notApproved(.inReview).message.contains("IN_REVIEW"))
        #expect(InvalidReason.notInStorefront("FRA").message.contains("FRA"))
        #expect(InvalidReason.noPaidAgreement(team: "Example").message.contains("Example"))
        #expect(InvalidReason.profileWrong("of the moon").message.contains("of the moon"))
    }

    @Test func `a rejection by the developer is told from one in review`() {
        #expect(
            InvalidReason.binaryRejected(.rejected).message
                != InvalidReason.binaryRejected(.developerRejected).message)
    }

    @Test func `every reason has a code of its own`() {
        #expect(Set(Self.all.map(\.code)).count == 11)
        #expect(Self.all.allSatisfy { !$0.code.isEmpty })
    }

    @Test func `the terms of sale give every reason`() {
        let states: [InvalidReason] = [.notApproved(.inReview), .waitingForContent]
        let given = Set((SellingTermsTests.everywhere.map(\.reason) + states).map(\.code))
        #expect(given == Set(Self.all.map(\.code)))
    }
}
