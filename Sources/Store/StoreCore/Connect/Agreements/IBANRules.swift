/// Which text is an international bank account number (ISO 13616).
enum IBANRules {
    /// How many letters and digits a country's number has, as the registry of SWIFT says.
    private static let lengths: [String: Int] = {
        let table = """
            AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22
            DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28
            HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25
            MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29
            RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29
            VA22 VG24 XK20 YE30
            """
        var lengths: [String: Int] = [:]
        for entry in table.split(whereSeparator: \.isWhitespace) {
            lengths[String(entry.prefix(2))] = Int(entry.dropFirst(2))
        }
        return lengths
    }()

    /// What is wrong with an account number that begins as an IBAN does; nil where nothing is, or
    /// where it is another kind of number.
    ///
    /// - Parameter number: letters and digits only, in capitals.
    static func problem(with number: String) -> String? {
        let signs = Array(number.utf8)
        func isDigit(_ place: Int) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(signs[place])
        }
        guard signs.count >= 4, !isDigit(0), !isDigit(1), isDigit(2), isDigit(3) else {
            return nil
        }
        let country = String(number.prefix(2))
        if let length = lengths[country] {
            guard signs.count == length else {
                return "An IBAN of \(country) has \(length) letters and digits, this one "
                    + "\(signs.count)."
            }
        } else if signs.count < 15 {
            // Shorter than any IBAN, and of no country that has them.
            return nil
        }
        return hasRightCheckDigits(signs) ? nil : "The check digits of the IBAN are wrong."
    }

    /// The first four signs at the end, letters as numbers, modulo 97 is 1.
    private static func hasRightCheckDigits(_ signs: [UInt8]) -> Bool {
        var rest = 0
        for sign in signs.dropFirst(4) + signs.prefix(4) {
            switch sign {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                rest = (rest * 10 + Int(sign - UInt8(ascii: "0"))) % 97
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                rest = (rest * 100 + Int(sign - UInt8(ascii: "A")) + 10) % 97
            default: return false
            }
        }
        return rest == 1
    }
}
