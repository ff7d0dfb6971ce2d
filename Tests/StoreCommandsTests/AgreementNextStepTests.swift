import StoreCore
import Testing

@testable import StoreCommands

@Suite("What comes after an agreement's step")
struct AgreementNextStepTests {
    private static let cases: [(Agreement.State, [String]?, String?, [String])] = [
        (.new, nil, nil, ["  openstore agreement accept paid"]),
        (
            .pendingUserInfo, ["set-bank", "set-tax"], nil,
            ["  openstore agreement set-bank", "  openstore agreement set-tax"]
        ),
        (.pendingUserInfo, ["set-tax"], nil, ["  openstore agreement set-tax"]),
        (
            .pendingUserInfo, ["set-bank"], "Two words",
            ["  openstore agreement set-bank --team 'Two words'"]
        ),
        (.pendingUserInfo, nil, nil, []), (.terminated, nil, nil, []), (.active, nil, nil, []),
    ]

    @Test(arguments: cases)
    func `the next commands are named for what is missing, and for nothing else`(
        state: Agreement.State, missing: [String]?, team: String?, commands: [String]
    ) {
        let lines = AgreementNextStep.lines(state, missing: missing, team: team)
        #expect(lines.filter { $0.hasPrefix("  ") } == commands)
        #expect(lines.isEmpty == (state == .active))
    }
}
