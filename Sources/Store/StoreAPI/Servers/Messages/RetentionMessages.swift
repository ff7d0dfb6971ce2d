/// The images of an app.
struct GetImageListResponse: Codable, Sendable, Hashable {
    struct Item: Codable, Sendable, Hashable {
        var imageIdentifier: String
        var imageState: String
        var imageSize: String
    }

    var imageIdentifiers: [Item]
}

/// The messages of an app.
struct GetMessageListResponse: Codable, Sendable, Hashable {
    struct Item: Codable, Sendable, Hashable {
        var messageIdentifier: String
        var messageState: String
    }

    var messageIdentifiers: [Item]
}

/// The message that subscribers to a product get in a language.
struct DefaultConfigurationResponse: Codable, Sendable, Hashable {
    var messageIdentifier: String
}

/// Where a publisher's server chooses messages.
struct RealtimeUrlResponse: Codable, Sendable, Hashable {
    var realtimeURL: String
}

/// How a performance test is done. Times are milliseconds.
struct PerformanceTestConfig: Codable, Sendable, Hashable {
    var maxConcurrentRequests: Int
    var totalRequests: Int
    var totalDuration: Int
    var responseTimeThreshold: Int
    var successRateThreshold: Int
}

/// That a test was taken.
struct PerformanceTestResponse: Codable, Sendable, Hashable {
    var config: PerformanceTestConfig
    var requestId: String
}

/// How a test stands or ended.
struct PerformanceTestResultResponse: Codable, Sendable, Hashable {
    struct Times: Codable, Sendable, Hashable {
        var average: Int
        var p50: Int
        var p90: Int
        var p95: Int
        var p99: Int
    }

    var config: PerformanceTestConfig
    var target: String
    /// PENDING, PASS or FAIL.
    var result: String
    var numPending: Int
    /// The rest not while it is pending.
    var successRate: Int?
    var responseTimes: Times?
    var failures: [String: Int]?
}
