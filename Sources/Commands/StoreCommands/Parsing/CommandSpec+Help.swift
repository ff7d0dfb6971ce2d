import StoreModel

extension CommandSpec {
    /// Options that the command's own help explains, those first that are required; the others
    /// are in `openstore help options`.
    private var ownOptions: [Option] {
        let own = options.filter { !$0.isShared }
        return own.filter(\.isRequired) + own.filter { !$0.isRequired }
    }

    /// Options that many commands take.
    private var sharedOptions: [Option] { options.filter(\.isShared) + common.filter(\.isShared) }

    /// The words after `openstore`: what has to be there first, and without brackets.
    var parts: [String] {
        var parts = [words.joined(separator: " ")]
        parts += arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }
        parts += ownOptions.map { $0.isRequired ? $0.form : "[\($0.form)]" }
        if let rest { parts.append("-- \(rest.name)") }
        return parts
    }

    /// How the command is called: `openstore NOUN VERB ...`, in lines that fit behind `Usage: `.
    var usage: String {
        let width = HelpText.width - "Usage: ".count
        return HelpText.wrapped(parts, after: "openstore ", indent: 4, width: width)
    }

    var help: String {
        var text = "\(summary)\n\nUsage: \(usage)\n"
        if !explanation.isEmpty { text += "\n" + HelpText.paragraphs(explanation) }
        let places = (arguments + [rest].compactMap(\.self)).map { ($0.name, $0.help) }
        if !places.isEmpty { text += "\n" + HelpText.table(places) }
        let own = ownOptions
        if !own.isEmpty { text += "\n" + HelpText.table(own.map { ($0.form, $0.help) }) }
        let shared = sharedOptions.map { "--\($0.name)" }
        let words = shared.dropLast().map { $0 + "," } + shared.suffix(1)
        text +=
            "\n"
            + HelpText.wrapped(
                words + ["(openstore help options)"], after: "Also: ", indent: 6) + "\n"
        return text
    }
}
