/// Text as it stands in an XML document.
package enum XMLText {
    /// Character data, or the value of an attribute. What XML can't hold is left out.
    package static func escape(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // As it stands, a reader would make a line break of it.
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            default:
                guard scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF else {
                    continue
                }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
