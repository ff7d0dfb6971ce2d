import StoreModel

extension FeedTable {
    static let artist = FeedTable(
        "artist", key: ["artist_id"],
        [
            "artist_id": .bigint, "name": .varchar(1000), "is_actual_artist": .boolean,
            "view_url": .varchar(1000), "artist_type_id": .integer,
        ])

    static let genreArtist = FeedTable(
        "genre_artist", key: ["genre_id", "artist_id"],
        ["genre_id": .integer, "artist_id": .bigint, "is_primary": .boolean])

    static let artistMatch = FeedTable(
        "artist_match", key: ["artist_id"],
        [
            "artist_id": .bigint, "amg_artist_id": .bigint, "amg_video_artist_id": .bigint,
        ])

    static let storefront = FeedTable(
        "storefront", key: ["storefront_id"],
        ["storefront_id": .integer, "country_code": .varchar(10), "name": .varchar(200)])

    static let genre = FeedTable(
        "genre", key: ["genre_id"],
        ["genre_id": .integer, "parent_id": .integer, "name": .varchar(200)])

    static let artistType = FeedTable(
        "artist_type", key: ["artist_type_id"],
        [
            "artist_type_id": .integer, "name": .varchar(200),
            "primary_media_type_id": .integer,
        ])

    static let mediaType = named("media_type")
    static let collectionType = named("collection_type")
    static let deviceType = named("device_type")
    static let role = named("role")
    static let parentalAdvisory = named("parental_advisory")
    static let translationType = named("translation_type")

    static let keyValue = FeedTable(
        "key_value", key: ["key_"], ["key_": .varchar(100), "value_": .varchar(1000)])

    /// Numbers and their names.
    private static func named(_ name: String) -> FeedTable {
        FeedTable(
            name, key: ["\(name)_id"], ["\(name)_id": .integer, "name": .varchar(200)])
    }
}
