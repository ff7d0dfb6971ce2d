import StoreCore
import Testing

@testable import StoreCommands

@Suite("What comes after an agreement's step")
struct AgreementNextStepTests {
    private static let bank =
        "  openstore agreement set-bank --holder NAME --bank NAME --territory CODE --number NUMBER "
        + "--currency CODE"
    private static let tax =
        "  openstore agreement set-tax --legal-name NAME --territory CODE --tax-id NUMBER "
        + "--address TEXT"
    private static let cases: [(Agreement.State, [String]?, String?, [String])] = [
        (.new, nil, nil, ["  openstore agreement accept paid"]),
        (
            .pendingUserInfo, ["set-bank", "set-tax"], nil,
            [bank, tax]
        ),
        (.pendingUserInfo, ["set-tax"], nil, [tax]),
        (
            .pendingUserInfo, ["set-bank"], "Two words",
            [bank.replacing("set-bank", with: "set-bank --team 'Two words'")]
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
