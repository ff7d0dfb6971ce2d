extension Unicode.Scalar {
    /// Whether a terminal obeys it instead of showing it, or it changes how its neighbours are
    /// shown: control and format characters, separators of lines and paragraphs (Unicode's
    /// general categories Cc, Cf, Zl and Zp).
    package var steersTerminals: Bool {
        // Most text is plain.
        if (0x20..<0x7F).contains(value) { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// Whether it is for the inner use of programs, and means nothing in a text from outside.
    fileprivate var isReserved: Bool { (0xFDD0...0xFDEF).contains(value) }
}

extension String {
    /// The text as terminals and logs may have it, whoever wrote it: it stays on its line, and
    /// what stands beside it is left alone.
    ///
    /// Format characters are left out, and U+FFFD stands for everything else that steers a
    /// terminal.
    ///
    /// - Parameter keepingLines: whether line feeds and tabs stay, as in text of many lines.
    package func terminalText(keepingLines: Bool = false) -> String {
        func stays(_ scalar: Unicode.Scalar) -> Bool {
            keepingLines && (scalar == "\n" || scalar == "\t")
                || !scalar.steersTerminals && !scalar.isReserved
        }
        guard !unicodeScalars.allSatisfy(stays) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if stays(scalar) {
                text.append(scalar)
            } else if scalar.properties.generalCategory != .format {
                text.append("\u{FFFD}")
            }
        }
        return String(text)
    }
}
