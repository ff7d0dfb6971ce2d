import StoreKernel

extension SQLError {
    /// What a server refused, by the code that SQL gives it.
    init(state: String?, _ message: String) {
        let code: Code =
            switch state {
            case "40001"?, "40P01"?, "55P03"?, "57014"?, "53300"?: .busy
            case "53100"?, "53200"?, "58030"?, "25006"?: .disk
            case "57P01"?, "57P02"?, "57P03"?, "57P05"?: .unreachable
            case "XX001"?, "XX002"?: .corrupt
            case "22P05"?, "22021"?: .text
            case PostgresFunctions.otherSchema?: .outdated
            // The tables are gone from under a program that runs.
            case "42P01"?, "3F000"?: .moved
            case let state? where state.hasPrefix(scalars: "23"): .constraint
            case let state? where state.hasPrefix(scalars: "08"): .unreachable
            default: .other
            }
        guard code != .moved else {
            self.init(
                code: code,
                "the store's tables are not there any more; where the shop has moved, starting "
                    + "again tells where to (\(message))")
            return
        }
        self.init(code: code, message)
    }

    /// A row is there already.
    static let notUnique = "23505"

    /// Whether a transaction that failed by it may succeed when it is run again.
    static func isCollision(_ state: String?) -> Bool { state == "40001" || state == "40P01" }
}
