extension FeedTable {
    static let video = FeedTable(
        "video", key: ["video_id"],
        [
            "video_id": .bigint, "name": .varchar(1000), "title_version": .varchar(1000),
            "search_terms": .varchar(1000), "parental_advisory_id": .integer,
            "artist_display_name": .varchar(1000), "collection_display_name": .varchar(1000),
            "media_type_id": .integer, "view_url": .varchar(1000),
            "artwork_url": .varchar(1000), "original_release_date": .datetime,
            "itunes_release_date": .datetime, "studio_name": .varchar(1000),
            "network_name": .varchar(1000), "content_provider_name": .varchar(1000),
            "track_length": .integer, "copyright": .varchar(4000), "p_line": .varchar(4000),
            "short_description": .longtext, "long_description": .longtext,
            "episode_production_number": .varchar(100),
        ])

    static let videoTranslation = FeedTable(
        "video_translation",
        key: ["video_id", "language_code", "is_pronunciation", "translation_type_id"],
        [
            "video_id": .bigint, "language_code": .varchar(20), "is_pronunciation": .boolean,
            "translation_type_id": .integer, "name": .varchar(1000),
        ])

    static let videoPrice = FeedTable(
        "video_price", key: ["video_id", "storefront_id"],
        [
            "video_id": .bigint, "retail_price": .decimal, "currency_code": .varchar(20),
            "storefront_id": .integer, "availability_date": .datetime, "sd_price": .decimal,
            "hq_price": .decimal, "lc_rental_price": .decimal, "sd_rental_price": .decimal,
            "hd_rental_price": .decimal, "hd_price": .decimal,
        ])

    static let videoMatch = FeedTable(
        "video_match", key: ["video_id"],
        [
            "video_id": .bigint, "upc": .varchar(20), "isrc": .varchar(100),
            "amg_video_id": .bigint, "isan": .varchar(100),
        ])

    static let artistVideo = FeedTable(
        "artist_video", key: ["artist_id", "video_id"],
        [
            "artist_id": .bigint, "video_id": .bigint, "is_primary_artist": .boolean,
            "role_id": .integer,
        ])

    static let genreVideo = FeedTable(
        "genre_video", key: ["genre_id", "video_id"],
        ["genre_id": .integer, "video_id": .bigint, "is_primary": .boolean])
}
