import Foundation

/// Shows a chapter: its picture, where the terminal can, and its text.
enum Reader {
    static func show(_ folder: URL) {
        let picture = folder.appendingPathComponent("picture.png")
        if let data = try? Data(contentsOf: picture) {
            Screen.write("\n\(drawing(data))\(Screen.dim(picture.path))\n\n")
        }
        do {
            let text = try String(
                contentsOf: folder.appendingPathComponent("chapter.txt"), encoding: .utf8)
            Screen.write(text + "\n")
        } catch {
            Screen.write("The text can't be read: \(error.localizedDescription)\n")
        }
    }

    /// What draws a PNG file in terminals that can do that; empty for others.
    private static func drawing(_ png: Data) -> String {
        let variables = ProcessInfo.processInfo.environment
        guard Screen.isTerminal else { return "" }
        switch (variables["TERM"] ?? "", variables["TERM_PROGRAM"] ?? "") {
        case ("xterm-kitty", _), (_, "ghostty"):
            return kittyDrawing(png)
        case (_, "iTerm.app"), (_, "WezTerm"):
            return "\u{1b}]1337;File=inline=1;width=60:\(png.base64EncodedString())\u{07}\n"
        default:
            return ""
        }
    }

    /// Kitty's graphics protocol: base64 in pieces of at most 4096 characters.
    private static func kittyDrawing(_ png: Data) -> String {
        var rest = Substring(png.base64EncodedString())
        var control = "a=T,f=100,c=60,"
        var text = ""
        repeat {
            let piece = rest.prefix(4096)
            rest = rest.dropFirst(4096)
            text += "\u{1b}_G\(control)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1b}\\"
            control = ""
        } while !rest.isEmpty
        return text + "\n"
    }
}
