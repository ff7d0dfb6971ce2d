import StoreCore
import StoreModel

/// What a team does next, until its paid agreement is in force.
enum AgreementNextStep {
    /// Lines for people, with the commands; empty where nothing is left to do.
    ///
    /// - Parameters:
    ///   - missing: the commands of `openstore agreement` for what is missing; nil where the
    ///     caller may not see it.
    ///   - team: the value of `--team`; nil where it was not given.
    static func lines(
        _ state: Agreement.State, missing: [String]?, team: String?
    ) -> [String] {
        let option = team.map { " --team \(shellWord($0))" } ?? ""
        switch state {
        case .active: return []
        case .new:
            return [
                "No product sells until it is accepted. Next, the Account Holder:",
                "  openstore agreement accept paid\(option)",
            ]
        case .pendingUserInfo:
            guard let missing else {
                return [
                    "No product sells until the bank account and the tax form are there. The "
                        + "Account Holder, an Admin or Finance sees what is missing."
                ]
            }
            return [
                "No product sells until the bank account and the tax form are there. Next:"
            ] + missing.map { "  openstore agreement \($0)\(option)\(options(of: $0))" }
        case .terminated:
            return [
                "The store has ended it, and no product sells. Ask the store's operator to offer it "
                    + "again."
            ]
        }
    }

    /// What a command asks for, as its usage line has it.
    private static func options(of command: String) -> String {
        let all: [any Command.Type] = [AgreementSetBank.self, AgreementSetTax.self]
        let spec = all.map { $0.spec }.first { $0.words.last == command }
        return (spec?.options ?? []).filter(\.isRequired)
            .map { " --\($0.name) \($0.value ?? "")" }.joined()
    }
}
