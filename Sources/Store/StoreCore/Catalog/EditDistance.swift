/// How much typing lies between two texts.
package enum EditDistance {
    /// Levenshtein's distance, single insertions, deletions and replacements, up to a limit; nil
    /// where it is larger.
    ///
    /// A cell that is further from the diagonal than the limit can't be part of the answer, so
    /// the time grows with the length, not with its square.
    package static func between(_ one: [UInt8], _ other: [UInt8], limit: Int) -> Int? {
        guard abs(one.count - other.count) <= limit else { return nil }
        let far = limit + 1
        var row = (0...other.count).map { min($0, far) }
        for (index, byte) in one.enumerated() {
            let first = max(0, index + 1 - limit)
            let last = min(other.count, index + 1 + limit)
            var diagonal = first == 0 ? far : row[first - 1]
            var before = far
            var best = far
            for place in first...last {
                let above = row[place]
                let value =
                    place == 0
                    ? min(index + 1, far)
                    : min(
                        diagonal + (byte == other[place - 1] ? 0 : 1), before + 1, above + 1, far)
                row[place] = value
                diagonal = above
                before = value
                best = min(best, value)
            }
            guard best <= limit else { return nil }
        }
        let distance = row[other.count]
        return distance <= limit ? distance : nil
    }
}
