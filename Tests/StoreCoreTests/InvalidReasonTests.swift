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
        case .noPaidAgreement: "fills in a bank account and a tax form"
        case .binaryRejected: "submit a new one"
        }
    }

    private static func message(_ reason: InvalidReason) -> String {
        reason.message(to: Situation.bundleID)
    }

    @Test(arguments: all)
    func `the message says what to do`(reason: InvalidReason) {
        #expect(Self.message(reason).contains(Self.advice(reason)))
        #expect(!Self.message(reason).contains("\n"))
    }

    @Test func `the message names what it is about`() {
        #expect(Self.message(.notApproved(.inReview)).contains("IN_REVIEW"))
        #expect(Self.message(.notInStorefront("FRA")).contains("FRA"))
        #expect(Self.message(.noPaidAgreement(team: "Example")).contains("Example"))
        #expect(Self.message(.profileWrong("of the moon")).contains("of the moon"))
    }

    /// The profile decides which app is asked, and it may be the wrong one.
    @Test(arguments: [nil, Situation.badge])
    func `an unknown identifier names the app that was asked`(similar: ProductID?) throws {
        let other = try #require(BundleID("com.example.other"))
        let message = InvalidReason.unknownIdentifier(similar: similar).message(to: other)
        #expect(message.hasPrefix("The app com.example.other has no product"))
    }

    @Test func `a rejection by the developer is told from one in review`() {
        #expect(
            Self.message(.binaryRejected(.rejected))
                != Self.message(.binaryRejected(.developerRejected)))
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
