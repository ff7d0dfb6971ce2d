extension SQLError {
    /// What a server refused, by the code that SQL gives it.
    init(state: String?, _ message: String) {
        let code: Code =
            switch state {
            case "40001"?, "40P01"?, "55P03"?, "57014"?, "53300"?: .busy
            case "53100"?, "53200"?, "58030"?, "25006"?: .disk
            case "57P01"?, "57P02"?, "57P03"?, "57P05"?: .unreachable
            case "XX001"?, "XX002"?: .corrupt
            case let state? where state.hasPrefix("23"): .constraint
            case let state? where state.hasPrefix("08"): .unreachable
            default: .other
            }
        self.init(code: code, message)
    }

    /// A row is there already.
    static let notUnique = "23505"

    /// Whether a transaction that failed by it may succeed when it is run again.
    static func isCollision(_ state: String?) -> Bool { state == "40001" || state == "40P01" }
}
