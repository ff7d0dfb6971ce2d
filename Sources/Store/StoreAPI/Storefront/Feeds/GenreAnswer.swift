import StoreCore
import StoreKernel
import StoreModel

/// The tree of genres, or the part of it below one: an object with the genres' numbers as names.
struct GenreAnswer {
    let storefront: Storefront
    let links: StorefrontLinks

    /// The page of a genre.
    static func address(
        of genre: Genre, in storefront: Storefront, _ links: StorefrontLinks
    ) -> String {
        let kind = ItemKind.allCases.first { Genre.root(of: $0).id == genre.root.id }
        let list = "\(links.home(of: storefront))/charts/\((kind ?? .software).pathSegment)"
        return genre.parent == nil ? list : "\(list)?genre=\(genre.id)"
    }

    /// - Parameter id: the number of a genre; nil for all. One that there is not has no members.
    func bytes(of id: Int?) -> [UInt8] {
        let genres =
            id.map { Genre.numbered($0).map { [$0] } ?? [] }
            ?? Genre.all.filter { $0.parent == nil }
        return tree(genres).bytes
    }

    private func tree(_ genres: [Genre]) -> ScriptJSON {
        .object(
            genres.map { genre in
                var fields = ResultFields()
                fields.add("name", text: genre.name)
                fields.add("id", text: String(genre.id))
                fields.add("url", text: Self.address(of: genre, in: storefront, links))
                if !genre.children.isEmpty { fields.add("subgenres", tree(genre.children)) }
                return (String(genre.id), fields.json)
            })
    }
}
