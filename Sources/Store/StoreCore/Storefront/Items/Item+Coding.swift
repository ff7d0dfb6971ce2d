import Foundation

// What is kept as JSON leaves out what is not said: rows are short, and fields that a newer
// program adds are missing in older rows.

extension ItemText {
    private enum CodingKeys: String, CodingKey {
        case title, subtitle, description, shortDescription, releaseNotes
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            title: try values.decode(String.self, forKey: .title),
            subtitle: try values.decodeIfPresent(String.self, forKey: .subtitle) ?? "",
            description: try values.decodeIfPresent(String.self, forKey: .description) ?? "",
            shortDescription: try values.decodeIfPresent(String.self, forKey: .shortDescription)
                ?? "",
            releaseNotes: try values.decodeIfPresent(String.self, forKey: .releaseNotes) ?? "")
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(title, forKey: .title)
        if !subtitle.isEmpty { try values.encode(subtitle, forKey: .subtitle) }
        if !description.isEmpty { try values.encode(description, forKey: .description) }
        if !shortDescription.isEmpty {
            try values.encode(shortDescription, forKey: .shortDescription)
        }
        if !releaseNotes.isEmpty { try values.encode(releaseNotes, forKey: .releaseNotes) }
    }
}

extension ItemFacts {
    private enum CodingKeys: String, CodingKey {
        case sellerName, sellerURL, supportURL, copyright, publisher, advisoryRating, advisories
        case languages, version, versionDate, minimumOS, supportedDevices, features
        case usesGameCenter, isVolumePurchased, fileSize, duration, discNumber, discCount
        case trackNumber, trackCount, composer, director, producers, actors, keywords, feedURL
        case hasExtras, isStreamable, isCompilation
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        sellerName = try values.decodeIfPresent(String.self, forKey: .sellerName)
        sellerURL = try values.decodeIfPresent(String.self, forKey: .sellerURL)
        supportURL = try values.decodeIfPresent(String.self, forKey: .supportURL)
        copyright = try values.decodeIfPresent(String.self, forKey: .copyright)
        publisher = try values.decodeIfPresent(String.self, forKey: .publisher)
        advisoryRating = try values.decodeIfPresent(String.self, forKey: .advisoryRating)
        advisories = try values.decodeIfPresent([String].self, forKey: .advisories) ?? []
        languages = try values.decodeIfPresent([String].self, forKey: .languages) ?? []
        version = try values.decodeIfPresent(String.self, forKey: .version)
        versionDate = try values.decodeIfPresent(Date.self, forKey: .versionDate)
        minimumOS = try values.decodeIfPresent(String.self, forKey: .minimumOS)
        supportedDevices =
            try values.decodeIfPresent([String].self, forKey: .supportedDevices) ?? []
        features = try values.decodeIfPresent([String].self, forKey: .features) ?? []
        usesGameCenter = try values.decodeIfPresent(Bool.self, forKey: .usesGameCenter)
        isVolumePurchased = try values.decodeIfPresent(Bool.self, forKey: .isVolumePurchased)
        fileSize = try values.decodeIfPresent(Int64.self, forKey: .fileSize)
        duration = try values.decodeIfPresent(Int64.self, forKey: .duration)
        discNumber = try values.decodeIfPresent(Int.self, forKey: .discNumber)
        discCount = try values.decodeIfPresent(Int.self, forKey: .discCount)
        trackNumber = try values.decodeIfPresent(Int.self, forKey: .trackNumber)
        trackCount = try values.decodeIfPresent(Int.self, forKey: .trackCount)
        composer = try values.decodeIfPresent(String.self, forKey: .composer)
        director = try values.decodeIfPresent(String.self, forKey: .director)
        producers = try values.decodeIfPresent([String].self, forKey: .producers) ?? []
        actors = try values.decodeIfPresent([String].self, forKey: .actors) ?? []
        keywords = try values.decodeIfPresent([String].self, forKey: .keywords) ?? []
        feedURL = try values.decodeIfPresent(String.self, forKey: .feedURL)
        hasExtras = try values.decodeIfPresent(Bool.self, forKey: .hasExtras)
        isStreamable = try values.decodeIfPresent(Bool.self, forKey: .isStreamable)
        isCompilation = try values.decodeIfPresent(Bool.self, forKey: .isCompilation)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(sellerName, forKey: .sellerName)
        try values.encodeIfPresent(sellerURL, forKey: .sellerURL)
        try values.encodeIfPresent(supportURL, forKey: .supportURL)
        try values.encodeIfPresent(copyright, forKey: .copyright)
        try values.encodeIfPresent(publisher, forKey: .publisher)
        try values.encodeIfPresent(advisoryRating, forKey: .advisoryRating)
        if !advisories.isEmpty { try values.encode(advisories, forKey: .advisories) }
        if !languages.isEmpty { try values.encode(languages, forKey: .languages) }
        try values.encodeIfPresent(version, forKey: .version)
        try values.encodeIfPresent(versionDate, forKey: .versionDate)
        try values.encodeIfPresent(minimumOS, forKey: .minimumOS)
        if !supportedDevices.isEmpty {
            try values.encode(supportedDevices, forKey: .supportedDevices)
        }
        if !features.isEmpty { try values.encode(features, forKey: .features) }
        try values.encodeIfPresent(usesGameCenter, forKey: .usesGameCenter)
        try values.encodeIfPresent(isVolumePurchased, forKey: .isVolumePurchased)
        try values.encodeIfPresent(fileSize, forKey: .fileSize)
        try values.encodeIfPresent(duration, forKey: .duration)
        try values.encodeIfPresent(discNumber, forKey: .discNumber)
        try values.encodeIfPresent(discCount, forKey: .discCount)
        try values.encodeIfPresent(trackNumber, forKey: .trackNumber)
        try values.encodeIfPresent(trackCount, forKey: .trackCount)
        try values.encodeIfPresent(composer, forKey: .composer)
        try values.encodeIfPresent(director, forKey: .director)
        if !producers.isEmpty { try values.encode(producers, forKey: .producers) }
        if !actors.isEmpty { try values.encode(actors, forKey: .actors) }
        if !keywords.isEmpty { try values.encode(keywords, forKey: .keywords) }
        try values.encodeIfPresent(feedURL, forKey: .feedURL)
        try values.encodeIfPresent(hasExtras, forKey: .hasExtras)
        try values.encodeIfPresent(isStreamable, forKey: .isStreamable)
        try values.encodeIfPresent(isCompilation, forKey: .isCompilation)
    }
}
