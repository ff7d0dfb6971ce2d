/// Which form a text has for a count, as `Plural-Forms` in a file of gettext's says.
///
/// The rule is an expression of C with the count `n`, such as
/// `n%10==1 && n%100!=11 ? 0 : 1`. What can't be read gives the first form.
struct PluralRule: Sendable {
    private let expression: [Token]

    /// The rule of English, which templates have none of.
    private static let english = "n != 1"

    init(header: String) {
        let line = header.split(scalar: "\n").first { $0.hasPrefix(scalars: "Plural-Forms:") }
        let rule = line?.split(scalar: ";").compactMap { part in
            part.drop { $0 == " " }.dropping(prefix: "plural=").map(String.init)
        }.first
        expression = Token.all(in: rule ?? Self.english)
    }

    func form(of count: Int) -> Int {
        var reader = Reader(rest: expression[...], count: Int(count.magnitude & 0x7fff_ffff))
        return reader.choice(depth: 0)
    }

    /// A number, the count, or an operator.
    private enum Token: Sendable, Equatable {
        case number(Int)
        case count
        case sign(String)

        static func all(in text: String) -> [Token] {
            var tokens: [Token] = []
            var rest = Substring(text).unicodeScalars
            while let scalar = rest.first {
                rest.removeFirst()
                let pair = String(scalar) + (rest.first.map { String($0) } ?? "")
                if ["==", "!=", "<=", ">=", "&&", "||"].contains(pair) {
                    rest.removeFirst()
                    tokens.append(.sign(pair))
                } else if scalar == "n" {
                    tokens.append(.count)
                } else if ("0"..."9").contains(scalar) {
                    let digits = String(scalar) + String(rest.prefix { ("0"..."9").contains($0) })
                    rest = rest.dropFirst(digits.utf8.count - 1)
                    tokens.append(.number(Int(digits) ?? 0))
                } else if scalar != " " {
                    tokens.append(.sign(String(scalar)))
                }
            }
            return tokens
        }
    }

    /// Reads by precedence, as C does.
    private struct Reader {
        var rest: ArraySlice<Token>
        let count: Int

        private static let levels: [[String]] = [
            ["||"], ["&&"], ["==", "!="], ["<", ">", "<=", ">="], ["%"],
        ]
        private static let depthLimit = 16

        mutating func choice(depth: Int) -> Int {
            guard depth < Self.depthLimit else { return 0 }
            let condition = binary(0, depth: depth)
            guard rest.first == .sign("?") else { return condition }
            rest.removeFirst()
            let left = choice(depth: depth + 1)
            if rest.first == .sign(":") { rest.removeFirst() }
            let right = choice(depth: depth + 1)
            return condition != 0 ? left : right
        }

        private mutating func binary(_ level: Int, depth: Int) -> Int {
            guard level < Self.levels.count else { return operand(depth: depth) }
            var value = binary(level + 1, depth: depth)
            while case .sign(let sign)? = rest.first, Self.levels[level].contains(sign) {
                rest.removeFirst()
                let other = binary(level + 1, depth: depth)
                value = Self.apply(sign, value, other)
            }
            return value
        }

        private mutating func operand(depth: Int) -> Int {
            switch rest.popFirst() {
            case .number(let number): return number
            case .count: return count
            case .sign("("):
                let value = choice(depth: depth + 1)
                if rest.first == .sign(")") { rest.removeFirst() }
                return value
            default: return 0
            }
        }

        private static func apply(_ sign: String, _ left: Int, _ right: Int) -> Int {
            switch sign {
            case "%": right == 0 ? 0 : left % right
            case "||": left != 0 || right != 0 ? 1 : 0
            case "&&": left != 0 && right != 0 ? 1 : 0
            case "==": left == right ? 1 : 0
            case "!=": left != right ? 1 : 0
            case "<": left < right ? 1 : 0
            case ">": left > right ? 1 : 0
            case "<=": left <= right ? 1 : 0
            default: left >= right ? 1 : 0
            }
        }
    }
}
