extension FeedTable {
    static let collection = FeedTable(
        "collection", key: ["collection_id"],
        [
            "collection_id": .bigint, "name": .varchar(1000), "title_version": .varchar(1000),
            "search_terms": .varchar(1000), "parental_advisory_id": .integer,
            "artist_display_name": .varchar(1000), "view_url": .varchar(1000),
            "artwork_url": .varchar(1000), "original_release_date": .datetime,
            "itunes_release_date": .datetime, "label_studio": .varchar(1000),
            "content_provider_name": .varchar(1000), "copyright": .varchar(4000),
            "p_line": .varchar(4000), "media_type_id": .integer, "is_compilation": .boolean,
            "collection_type_id": .integer,
        ])

    static let collectionTranslation = FeedTable(
        "collection_translation",
        key: ["collection_id", "language_code", "is_pronunciation", "translation_type_id"],
        [
            "collection_id": .bigint, "language_code": .varchar(20),
            "is_pronunciation": .boolean, "translation_type_id": .integer,
            "name": .varchar(1000),
        ])

    static let collectionPrice = FeedTable(
        "collection_price", key: ["collection_id", "storefront_id"],
        [
            "collection_id": .bigint, "retail_price": .decimal, "currency_code": .varchar(20),
            "storefront_id": .integer, "availability_date": .datetime, "hq_price": .decimal,
            "preorder_price": .decimal,
        ])

    static let collectionMatch = FeedTable(
        "collection_match", key: ["collection_id"],
        [
            "collection_id": .bigint, "upc": .varchar(20), "grid": .varchar(100),
            "amg_album_id": .bigint,
        ])

    static let artistCollection = FeedTable(
        "artist_collection", key: ["artist_id", "collection_id"],
        [
            "artist_id": .bigint, "collection_id": .bigint, "is_primary_artist": .boolean,
            "role_id": .integer,
        ])

    static let genreCollection = FeedTable(
        "genre_collection", key: ["genre_id", "collection_id"],
        ["genre_id": .integer, "collection_id": .bigint, "is_primary": .boolean])

    /// The parts of a collection that are videos.
    static let collectionVideo = FeedTable(
        "collection_video", key: ["collection_id", "video_id"],
        [
            "collection_id": .bigint, "video_id": .bigint, "track_number": .integer,
            "volume_number": .integer, "preorder_only": .boolean,
        ])

    /// The parts of a collection that are songs.
    static let collectionSong = FeedTable(
        "collection_song", key: ["collection_id", "song_id"],
        [
            "collection_id": .bigint, "song_id": .bigint, "track_number": .integer,
            "volume_number": .integer, "preorder_only": .boolean,
        ])

    static let song = FeedTable(
        "song", key: ["song_id"],
        [
            "song_id": .bigint, "name": .varchar(1000), "title_version": .varchar(1000),
            "search_terms": .varchar(1000), "parental_advisory_id": .integer,
            "artist_display_name": .varchar(1000), "collection_display_name": .varchar(1000),
            "view_url": .varchar(1000), "original_release_date": .datetime,
            "itunes_release_date": .datetime, "track_length": .integer,
            "copyright": .varchar(4000), "p_line": .varchar(4000),
            "preview_url": .varchar(1000), "preview_length": .integer,
        ])

    static let songPrice = FeedTable(
        "song_price", key: ["song_id", "storefront_id"],
        [
            "song_id": .bigint, "retail_price": .decimal, "currency_code": .varchar(20),
            "storefront_id": .integer, "availability_date": .datetime,
        ])

    static let artistSong = FeedTable(
        "artist_song", key: ["artist_id", "song_id"],
        ["artist_id": .bigint, "song_id": .bigint])
}
