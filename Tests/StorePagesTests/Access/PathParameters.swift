/// Paths with identifiers in the place of their parameters.
enum PathParameters {
    /// A parameter is named after what stands before it: `/v1/apps/{id}` is one of the apps. One
    /// with a name of its own that is known is that.
    ///
    /// - Returns: nil where there is no identifier for one of the parameters.
    static func fill(_ pattern: String, _ known: [String: String]) -> String? {
        var parts: [String] = []
        for part in pattern.split(separator: "/", omittingEmptySubsequences: false) {
            guard part.hasPrefix("{") else {
                parts.append(String(part))
                continue
            }
            let name = String(part.dropFirst().dropLast())
            guard let id = known[name] ?? known[parts.last ?? ""] else { return nil }
            parts.append(id)
        }
        return parts.joined(separator: "/")
    }

    static func has(_ pattern: String) -> Bool { pattern.contains("{") }

    /// Identifiers of the same form that nothing has; what belongs to no team stays.
    static func strange(_ known: [String: String]) -> [String: String] {
        let strange = known.mapValues { id in
            let other = String(id.map { $0.isNumber ? "9" : $0 })
            return other == id ? String(id.map { $0.isLetter ? "Z" : $0 }) : other
        }
        return strange.merging(["territories": "USA", "parts": "0"]) { $1 }
    }
}
