import StoreModel
import StoreTexts
import StoreWire

/// Asks on a terminal for a review: the stars first, everything behind them may be left out.
struct ReviewDialog {
    /// As many lines as are taken of one review.
    private static let lineLimit = 200

    let terminal: Terminal
    let texts: Texts

    /// - Parameter own: what the customer wrote before.
    /// - Returns: nil where the customer gives up.
    func ask(changing own: ReviewRequest?) -> ReviewRequest? {
        guard let rating = stars() else { return nil }
        guard let title = title(own?.title ?? ""), let body = text(own?.body ?? "") else {
            return nil
        }
        let hasText = !title.isEmpty || !body.isEmpty
        guard let nickname = hasText ? nickname(own?.nickname ?? "") : own?.nickname ?? "" else {
            return nil
        }
        return ReviewRequest(rating: rating, title: title, body: body, nickname: nickname)
    }

    private func stars() -> Int? {
        while let answer = terminal.ask(texts.askStars) {
            let word = answer.trimmingCharacters(in: .whitespaces)
            if word.isEmpty { return nil }
            if let number = Int(word), (1...5).contains(number) { return number }
        }
        return nil
    }

    /// - Returns: nil at the end of input.
    private func title(_ before: String) -> String? {
        let question: String =
            before.isEmpty ? texts.askTitle : texts.askTitleAgain(title: before.terminalText())
        return terminal.ask(question).map { Self.answer($0, before: before) }
    }

    private func text(_ before: String) -> String? {
        terminal.write((before.isEmpty ? texts.askBody : texts.askBodyAgain) + "\n")
        var lines: [String] = []
        while lines.count < Self.lineLimit {
            guard let line = terminal.ask("") else { return nil }
            if line.trimmingCharacters(in: .whitespaces).isEmpty { break }
            lines.append(line)
        }
        return Self.answer(lines.joined(separator: "\n"), before: before)
    }

    private func nickname(_ before: String) -> String? {
        let question: String =
            before.isEmpty
            ? texts.askNickname : texts.askNicknameAgain(name: before.terminalText())
        while let answer = terminal.ask(question) {
            let name = answer.trimmingCharacters(in: .whitespaces)
            if !name.isEmpty { return name }
            if !before.isEmpty { return before }
        }
        return nil
    }

    /// Nothing keeps what was there, and a hyphen takes it away.
    private static func answer(_ typed: String, before: String) -> String {
        let text = typed.trimmingCharacters(in: .whitespaces)
        if text.isEmpty { return before }
        return text == "-" && !before.isEmpty ? "" : text
    }
}
