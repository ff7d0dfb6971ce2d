extension FeedTable {
    static let application = FeedTable(
        "application", key: ["application_id"],
        [
            "application_id": .bigint, "title": .varchar(1000), "recommended_age": .varchar(20),
            "artist_name": .varchar(1000), "seller_name": .varchar(1000),
            "company_url": .varchar(1000), "support_url": .varchar(1000),
            "view_url": .varchar(1000), "artwork_url_large": .varchar(1000),
            "artwork_url_small": .varchar(1000), "itunes_release_date": .datetime,
            "copyright": .varchar(4000), "description": .longtext, "version": .varchar(100),
            "itunes_version": .varchar(100), "download_size": .bigint,
        ])

    static let applicationDetail = FeedTable(
        "application_detail", key: ["application_id", "language_code"],
        [
            "application_id": .bigint, "language_code": .varchar(20), "title": .varchar(1000),
            "description": .longtext, "release_notes": .longtext,
            "company_url": .varchar(1000), "support_url": .varchar(1000),
            "screenshot_url_1": .varchar(1000), "screenshot_url_2": .varchar(1000),
            "screenshot_url_3": .varchar(1000), "screenshot_url_4": .varchar(1000),
            "screenshot_width_height_1": .varchar(20), "screenshot_width_height_2": .varchar(20),
            "screenshot_width_height_3": .varchar(20), "screenshot_width_height_4": .varchar(20),
            "ipad_screenshot_url_1": .varchar(1000), "ipad_screenshot_url_2": .varchar(1000),
            "ipad_screenshot_url_3": .varchar(1000), "ipad_screenshot_url_4": .varchar(1000),
            "ipad_screenshot_width_height_1": .varchar(20),
            "ipad_screenshot_width_height_2": .varchar(20),
            "ipad_screenshot_width_height_3": .varchar(20),
            "ipad_screenshot_width_height_4": .varchar(20),
        ])

    static let applicationDeviceType = FeedTable(
        "application_device_type", key: ["application_id", "device_type_id"],
        ["application_id": .bigint, "device_type_id": .integer])

    static let applicationPrice = FeedTable(
        "application_price", key: ["application_id", "storefront_id"],
        [
            "application_id": .bigint, "retail_price": .decimal, "currency_code": .varchar(20),
            "storefront_id": .integer,
        ])

    static let artistApplication = FeedTable(
        "artist_application", key: ["artist_id", "application_id"],
        ["artist_id": .bigint, "application_id": .bigint])

    static let genreApplication = FeedTable(
        "genre_application", key: ["genre_id", "application_id"],
        ["genre_id": .integer, "application_id": .bigint, "is_primary": .boolean])

    /// A list of the most popular apps.
    static func popularity(_ name: String) -> FeedTable {
        FeedTable(
            name, key: ["storefront_id", "genre_id", "application_id"],
            [
                "storefront_id": .integer, "genre_id": .integer, "application_id": .bigint,
                "application_rank": .integer,
            ])
    }
}
