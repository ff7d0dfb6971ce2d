import Foundation
import StoreCore
import StoreModel

extension PortalForm {
    /// The field for something that is said about an item.
    func item(_ field: ItemField, of details: ItemDetails) -> HTML {
        switch field.form {
        case .text(let path):
            text(field.name, field.title, details[keyPath: path] ?? "", hint: field.hint)
        case .url(let path):
            text(
                field.name, field.title, details[keyPath: path] ?? "", as: .url, hint: field.hint)
        case .texts(let path):
            area(
                field.name, field.title, details[keyPath: path].joined(separator: "\n"),
                hint: (field.hint.map { $0 + " " } ?? "") + "One on each line.", rows: 3)
        case .flag(let path):
            checkbox(
                field.name, field.title, isOn: details[keyPath: path] ?? false, hint: field.hint)
        case .number(let path):
            text(
                field.name, field.title, details[keyPath: path].map(String.init) ?? "",
                as: .number, hint: field.hint, [.init("min", "0")])
        case .count(let path):
            text(
                field.name, field.title, details[keyPath: path].map(String.init) ?? "",
                as: .number, hint: field.hint, [.init("min", "0")])
        case .time(let path):
            text(
                field.name, field.title,
                details[keyPath: path].flatMap { CalendarDay(of: $0)?.description } ?? "",
                as: .date,
                hint: field.hint)
        }
    }

    /// Which genre an item is mostly of, and which else.
    func genres(_ kind: ItemKind, chosen: [Int]) -> HTML {
        let genres = Genre.all.filter { $0.root.id == Genre.root(of: kind).id && $0.parent != nil }
        let options = genres.map { genre in
            let above = genre.parent.flatMap { Genre.numbered($0) }
            let isBelow = above?.parent != nil
            return PortalOption(
                String(genre.id), isBelow ? "\(above?.name ?? "") – \(genre.name)" : genre.name)
        }
        return .group([
            select(
                "genreIds", "Genre", options, chosen: chosen.first.map(String.init),
                isRequired: true),
            .element(
                "details", class: "templates",
                [
                    .element("summary", "Further genres"),
                    checkboxes(
                        "moreGenres", "Further genres", options,
                        chosen: Set(chosen.dropFirst().map(String.init))),
                ]),
        ])
    }

    /// Whether it is for everybody.
    func explicitness(_ chosen: Explicitness) -> HTML {
        select(
            "explicitness", "Words and pictures",
            [
                PortalOption(Explicitness.notExplicit.rawValue, "For everybody"),
                PortalOption(Explicitness.explicit.rawValue, "Explicit"),
                PortalOption(Explicitness.cleaned.rawValue, "Cleaned of what was explicit"),
            ], chosen: chosen.rawValue)
    }
}

extension ItemDetails {
    /// Takes over the fields of a form that its kind has.
    ///
    /// - Throws: `ConnectRefusal` for what is no value of a field.
    mutating func take(_ form: FormFields) throws {
        for field in ItemField.fields(of: kind) {
            try field.take(form[field.name], into: &self)
        }
    }

    /// Takes over the genres of a form, the first of which is the primary one.
    mutating func takeGenres(_ form: FormFields) throws {
        let more = form.all("moreGenres").compactMap { Int($0) }
        guard let first = Int(form["genreIds"]) else {
            throw ConnectRefusal(
                .invalid, rule: "genreMissing", field: "genreIds", "No genre is chosen.",
                help: "Choose the one that it is mostly of.")
        }
        genres = [first] + more.filter { $0 != first }
    }
}

extension ItemField {
    /// Takes over what was typed; an empty line takes away what was there.
    fileprivate func take(_ typed: String, into details: inout ItemDetails) throws {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        switch form {
        case .text(let path), .url(let path):
            details[keyPath: path] = text.isEmpty ? nil : text
        case .texts(let path):
            details[keyPath: path] = text.split(whereSeparator: \.isNewline)
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        case .flag(let path):
            // What nobody has said anything about stays so where the box is not ticked.
            if !text.isEmpty || details[keyPath: path] != nil {
                details[keyPath: path] = !text.isEmpty
            }
        case .number(let path): details[keyPath: path] = try number(text).map { Int($0) }
        case .count(let path): details[keyPath: path] = try number(text)
        case .time(let path):
            guard !text.isEmpty else {
                details[keyPath: path] = nil
                return
            }
            guard let day = CalendarDay(text) else {
                throw ConnectRefusal(
                    .invalid, rule: "day", field: name, "This is no day.",
                    help: "Write it as 2026-01-31.")
            }
            // The time of the day is kept where the day is the same.
            if details[keyPath: path].flatMap({ CalendarDay(of: $0) }) != day {
                details[keyPath: path] = day.beginning
            }
        }
    }

    private func number(_ text: String) throws -> Int64? {
        guard !text.isEmpty else { return nil }
        guard let number = Int64(text), (0...(1 << 53)).contains(number) else {
            throw ConnectRefusal(
                .invalid, rule: "number", field: name, "This is no whole number.",
                help: "Write digits only, or nothing.")
        }
        return number
    }
}
