import StoreKernel

/// A genre of the storefront, with the number that clients of the search API and of the partner
/// feed know it by.
package struct Genre: Sendable, Hashable {
    package let id: Int
    /// Nil for the root of a medium.
    package let parent: Int?
    /// In English.
    package let name: String

    /// Every genre; each root stands before what is below it.
    package static let all: [Genre] = genreTable.split(scalar: "\n").map { line in
        let fields = line.split(scalar: "|", omittingEmptySubsequences: false).map(String.init)
        precondition(fields.count == 3, "genre table: \(line)")
        return Genre(id: Int(fields[0])!, parent: Int(fields[1]), name: fields[2])
    }

    private static let byID: [Int: Genre] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The genre of a number; nil for an unknown one.
    package static func numbered(_ id: Int) -> Genre? { byID[id] }

    /// The genre of a name, in any case, below a root.
    package static func named(_ name: String, for kind: ItemKind) -> Genre? {
        let root = self.root(of: kind)
        return all.first { $0.name.lowercased() == name.lowercased() && $0.root.id == root.id }
    }

    /// The root of a kind's genres.
    package static func root(of kind: ItemKind) -> Genre {
        let id =
            switch kind {
            case .software: 36
            case .macSoftware: 39
            case .ebook: 38
            case .album, .song: 34
            case .musicVideo: 31
            case .movie, .shortFilm: 33
            case .tvEpisode, .tvSeason: 32
            case .podcast: 26
            case .audiobook: 50_000_024
            }
        return byID[id]!
    }

    /// The root above it, or itself.
    package var root: Genre { parent.flatMap { Self.byID[$0] }?.root ?? self }

    /// What is directly below it.
    package var children: [Genre] { Self.all.filter { $0.parent == id } }
}

private let genreTable: String = """
    36||App Store
    6000|36|Business
    6001|36|Weather
    6002|36|Utilities
    6003|36|Travel
    6004|36|Sports
    6005|36|Social Networking
    6006|36|Reference
    6007|36|Productivity
    6008|36|Photo & Video
    6009|36|News
    6010|36|Navigation
    6011|36|Music
    6012|36|Lifestyle
    6013|36|Health & Fitness
    6014|36|Games
    7001|6014|Action
    7002|6014|Adventure
    7003|6014|Arcade
    7004|6014|Board
    7005|6014|Card
    7006|6014|Casino
    7007|6014|Dice
    7008|6014|Educational
    7009|6014|Family
    7011|6014|Music
    7012|6014|Puzzle
    7013|6014|Racing
    7014|6014|Role Playing
    7015|6014|Simulation
    7016|6014|Sports
    7017|6014|Strategy
    7018|6014|Trivia
    7019|6014|Word
    6015|36|Finance
    6016|36|Entertainment
    6017|36|Education
    6018|36|Books
    6020|36|Medical
    6021|36|Magazines & Newspapers
    6023|36|Food & Drink
    6024|36|Shopping
    39||Mac App Store
    12001|39|Business
    12002|39|Developer Tools
    12003|39|Education
    12004|39|Entertainment
    12005|39|Finance
    12006|39|Games
    12007|39|Health & Fitness
    12008|39|Lifestyle
    12010|39|Medical
    12011|39|Music
    12012|39|News
    12013|39|Photography
    12014|39|Productivity
    12015|39|Reference
    12016|39|Social Networking
    12017|39|Sports
    12018|39|Travel
    12019|39|Utilities
    12020|39|Video
    12021|39|Weather
    34||Music
    2|34|Blues
    3|34|Comedy
    4|34|Children’s Music
    5|34|Classical
    6|34|Country
    7|34|Electronic
    8|34|Holiday
    9|34|Opera
    10|34|Singer/Songwriter
    11|34|Jazz
    12|34|Latin
    13|34|New Age
    14|34|Pop
    15|34|R&B/Soul
    16|34|Soundtrack
    17|34|Dance
    18|34|Hip-Hop/Rap
    19|34|World
    20|34|Alternative
    21|34|Rock
    22|34|Christian & Gospel
    23|34|Vocal
    24|34|Reggae
    25|34|Easy Listening
    27|34|J-Pop
    31||Music Videos
    1602|31|Blues
    1605|31|Classical
    1606|31|Country
    1607|31|Electronic
    1611|31|Jazz
    1614|31|Pop
    1615|31|R&B/Soul
    1617|31|Dance
    1618|31|Hip-Hop/Rap
    1619|31|World
    1620|31|Alternative
    1621|31|Rock
    33||Movies
    4401|33|Action & Adventure
    4402|33|Anime
    4403|33|Classics
    4404|33|Comedy
    4405|33|Documentary
    4406|33|Drama
    4407|33|Foreign
    4408|33|Horror
    4409|33|Independent
    4410|33|Kids & Family
    4411|33|Musicals
    4412|33|Romance
    4413|33|Sci-Fi & Fantasy
    4414|33|Short Films
    4415|33|Special Interest
    4416|33|Thriller
    4417|33|Sports
    4418|33|Western
    32||TV Shows
    4000|32|Comedy
    4001|32|Drama
    4002|32|Animation
    4003|32|Action & Adventure
    4004|32|Classics
    4005|32|Kids & Family
    4006|32|Nonfiction
    4007|32|Reality TV
    4008|32|Sci-Fi & Fantasy
    4009|32|Sports
    26||Podcasts
    1301|26|Arts
    1303|26|Comedy
    1304|26|Education
    1305|26|Kids & Family
    1309|26|TV & Film
    1310|26|Music
    1314|26|Religion & Spirituality
    1318|26|Technology
    1321|26|Business
    1324|26|Society & Culture
    1483|26|Fiction
    1487|26|History
    1488|26|True Crime
    1489|26|News
    1512|26|Health & Fitness
    1533|26|Science
    1545|26|Sports
    38||Books
    9002|38|Nonfiction
    9003|38|Romance
    9004|38|Travel & Adventure
    9007|38|Arts & Entertainment
    9008|38|Biographies & Memoirs
    9009|38|Business & Personal Finance
    9010|38|Children & Teens
    9012|38|Humor
    9015|38|History
    9018|38|Religion & Spirituality
    9019|38|Science & Nature
    9020|38|Sci-Fi & Fantasy
    9024|38|Lifestyle & Home
    9025|38|Health, Mind & Body
    9026|38|Comics & Graphic Novels
    9027|38|Computers & Internet
    9028|38|Cookbooks, Food & Wine
    9029|38|Professional & Technical
    9030|38|Parenting
    9031|38|Fiction & Literature
    9032|38|Mysteries & Thrillers
    9033|38|Reference
    9034|38|Politics & Current Events
    9035|38|Sports & Outdoors
    50000024||Audiobooks
    50000041|50000024|Arts & Entertainment
    50000042|50000024|Biographies & Memoirs
    50000043|50000024|Business & Personal Finance
    50000044|50000024|Kids & Young Adults
    50000045|50000024|Classics
    50000046|50000024|Comedy
    50000040|50000024|Fiction
    50000047|50000024|Drama & Poetry
    50000048|50000024|Speakers & Storytellers
    50000069|50000024|Romance
    50000070|50000024|Sci-Fi & Fantasy
    """
