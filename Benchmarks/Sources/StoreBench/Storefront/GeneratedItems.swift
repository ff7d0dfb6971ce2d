import Foundation

/// Items of a shop that a seed determines: of every kind, with words that are as unequally
/// frequent as those of a language, and queries as customers would type them.
struct GeneratedItems {
    /// What is known of an item without asking the store.
    struct Item {
        let number: Int
        let kind: String
        let title: String
        let artist: String
        let artistNumber: Int
        let genre: Int
        let description: String
        let price: Double
        let year: Int
    }

    /// A kind with one of its genres; apps are the most frequent.
    private static let kinds: [(name: String, genre: Int)] = [
        ("software", 6014), ("software", 6007), ("software", 6017), ("ebook", 9031),
        ("ebook", 9015), ("song", 21), ("song", 14), ("song", 5), ("album", 21),
        ("feature-movie", 4406), ("tv-episode", 4001), ("podcast", 1489), ("audiobook", 50_000_040),
    ]
    /// Where numbers begin.
    static let firstNumber = 800_000_000
    private static let japanese = [
        "東京", "物語", "音楽", "料理", "日本", "写真", "天気", "旅行", "辞書", "学習", "冒険", "世界",
    ]

    private let words: [String]

    init() {
        var random = SeededRandom(seed: 5)
        let beginnings = [
            "b", "br", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v",
            "w",
        ]
        let middles = ["a", "e", "i", "o", "u", "ai", "ea", "oo", "é", "ü"]
        let ends = ["", "n", "r", "l", "s", "t", "nd", "rk"]
        var made: [String] = []
        var known: Set<String> = []
        while made.count < 40_000 {
            var word = ""
            for _ in 0..<(1 + random.next() % 3) {
                word += beginnings[Int(random.next() % UInt64(beginnings.count))]
                // Letters with marks are rare.
                let choice = random.next() % 60
                word += middles[Int(choice < 56 ? choice % 8 : choice - 50)]
                word += ends[Int(random.next() % UInt64(ends.count))]
            }
            if known.insert(word).inserted { made.append(word) }
        }
        words = made
    }

    /// A word; the first ones are the most frequent.
    private func word(_ random: inout SeededRandom) -> String {
        let part = Double(random.next() >> 11) / Double(1 << 53)
        return words[min(words.count - 1, Int(pow(Double(words.count), part)) - 1 + Int(part * 3))]
    }

    private func phrase(_ count: Int, _ random: inout SeededRandom) -> String {
        (0..<count).map { _ in word(&random) }.joined(separator: " ")
    }

    func item(_ index: Int) -> Item {
        var random = SeededRandom(seed: UInt64(index) &* 7919 &+ 17)
        let kind = Self.kinds[Int(random.next() % UInt64(Self.kinds.count))]
        var title = phrase(1 + Int(random.next() % 4), &random).capitalized
        if random.next() % 40 == 0 {
            title =
                (0..<2).map { _ in
                    Self.japanese[Int(random.next() % UInt64(Self.japanese.count))]
                }.joined() + " " + title
        }
        let artistNumber = 1 + Int(random.next() % UInt64(2000))
        var naming = SeededRandom(seed: UInt64(artistNumber) &* 104_729)
        let artist = phrase(2, &naming).capitalized
        let tier = Int(random.next() % 4)
        return Item(
            number: Self.firstNumber + index, kind: kind.name, title: title, artist: artist,
            artistNumber: Self.firstNumber / 2 + artistNumber, genre: kind.genre,
            description: phrase(40, &random) + ".", price: tier == 0 ? 0 : Double(tier) - 0.01,
            year: 1990 + Int(random.next() % 36))
    }

    /// The file that `openstore item import` reads.
    func write(_ range: Range<Int>, to file: URL) throws {
        try Self.writeDownload(beside: file)
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var lines = Data()
        for index in range {
            lines.append(try Self.line(item(index)))
            lines.append(UInt8(ascii: "\n"))
            if lines.count > 1 << 20 {
                try handle.write(contentsOf: lines)
                lines.removeAll(keepingCapacity: true)
            }
        }
        try handle.write(contentsOf: lines)
    }

    /// Writes what buyers of all items get: nothing is on sale without a file.
    static func writeDownload(beside file: URL) throws {
        try Data("%PDF-1.4\n".utf8).write(
            to: file.deletingLastPathComponent().appendingPathComponent(download))
    }

    private static let download = "generated.pdf"

    static func line(_ item: Item) throws -> Data {
        var row: [String: Any] = [
            "kind": item.kind, "artistName": item.artist, "artistId": item.artistNumber,
            "primaryGenreId": item.genre, "description": item.description,
            "currency": "USD", "releaseDate": "\(item.year)-05-01T07:00:00Z",
        ]
        if item.kind == "album" {
            row["wrapperType"] = "collection"
            row["collectionType"] = "Album"
            row["collectionId"] = item.number
            row["collectionName"] = item.title
            row["collectionPrice"] = item.price
            row["kind"] = nil
        } else {
            row["trackId"] = item.number
            row["trackName"] = item.title
            row["price"] = item.price
            row["download"] = download
        }
        return try JSONSerialization.data(withJSONObject: row, options: [.sortedKeys])
    }

    /// What customers type, mixed: whole titles, a beginning, two words of a title, an artist, words
    /// of descriptions, Japanese, one wrong letter, and what nobody sells.
    func queries(_ count: Int, among items: Int, seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { number in
            let item = self.item(Int(random.next() % UInt64(items)))
            let titleWords = item.title.split(separator: " ").map(String.init)
            switch number % 10 {
            case 0, 1: return item.title
            case 2, 3: return titleWords.first ?? item.title
            case 4: return titleWords.prefix(2).joined(separator: " ")
            case 5: return item.artist
            case 6: return item.description.split(separator: " ").prefix(2).joined(separator: " ")
            case 7: return Self.japanese[Int(random.next() % UInt64(Self.japanese.count))]
            case 8:
                var letters = Array(titleWords.max { $0.count < $1.count } ?? "xyzzy")
                if letters.count > 3 { letters[letters.count / 2] = "q" }
                return String(letters)
            default: return phrase(3, &random)
            }
        }
    }
}
