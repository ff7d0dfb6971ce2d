import StoreCore
import Testing

@Suite struct EditDistanceTests {
    /// The whole table, without a limit.
    private static func whole(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, letter) in other.enumerated() {
                let replaced = diagonal + (byte == letter ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, row[place] + 1, row[place + 1] + 1)
            }
        }
        return row[other.count]
    }

    @Test func `up to the limit it is what the whole table says`() {
        // All words of the letters a and b with up to five of them.
        var words: [[UInt8]] = [[]]
        var last = words
        for _ in 0..<5 {
            last = last.flatMap { [$0 + [97], $0 + [98]] }
            words += last
        }
        for one in words {
            for other in words {
                let distance = Self.whole(one, other)
                for limit in 1...2
                where EditDistance.between(one, other, limit: limit)
                    != (distance <= limit ? distance : nil)
                {
                    Issue.record("\(one) \(other) \(limit)")
                }
            }
        }
    }

    /// A table of all places would have 10¹⁰ of them here.
    @Test func `long texts take time by their length, not by its square`() {
        let long = [UInt8](repeating: 97, count: 100_000)
        #expect(EditDistance.between(long, long + [98], limit: 2) == 1)
        #expect(EditDistance.between(long, long.map { $0 + 1 }, limit: 2) == nil)
    }
}
