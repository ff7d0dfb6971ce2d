/// The images of an app.
package struct GetImageListResponse: Codable, Sendable, Hashable {
    package struct Item: Codable, Sendable, Hashable {
        package var imageIdentifier: String
        package var imageState: String
        package var imageSize: String

        package init(imageIdentifier: String, imageState: String, imageSize: String) {
            self.imageIdentifier = imageIdentifier
            self.imageState = imageState
            self.imageSize = imageSize
        }
    }

    package var imageIdentifiers: [Item]

    package init(imageIdentifiers: [Item]) {
        self.imageIdentifiers = imageIdentifiers
    }
}

/// The messages of an app.
package struct GetMessageListResponse: Codable, Sendable, Hashable {
    package struct Item: Codable, Sendable, Hashable {
        package var messageIdentifier: String
        package var messageState: String

        package init(messageIdentifier: String, messageState: String) {
            self.messageIdentifier = messageIdentifier
            self.messageState = messageState
        }
    }

    package var messageIdentifiers: [Item]

    package init(messageIdentifiers: [Item]) {
        self.messageIdentifiers = messageIdentifiers
    }
}

/// The message that subscribers to a product get in a language.
package struct DefaultConfigurationResponse: Codable, Sendable, Hashable {
    package var messageIdentifier: String

    package init(messageIdentifier: String) {
        self.messageIdentifier = messageIdentifier
    }
}

/// Where a publisher's server chooses messages.
package struct RealtimeUrlResponse: Codable, Sendable, Hashable {
    package var realtimeURL: String

    package init(realtimeURL: String) {
        self.realtimeURL = realtimeURL
    }
}

/// How a performance test is done. Times are milliseconds.
package struct PerformanceTestConfig: Codable, Sendable, Hashable {
    package var maxConcurrentRequests: Int
    package var totalRequests: Int
    package var totalDuration: Int
    package var responseTimeThreshold: Int
    package var successRateThreshold: Int

    package init(
        maxConcurrentRequests: Int, totalRequests: Int, totalDuration: Int,
        responseTimeThreshold: Int, successRateThreshold: Int
    ) {
        self.maxConcurrentRequests = maxConcurrentRequests
        self.totalRequests = totalRequests
        self.totalDuration = totalDuration
        self.responseTimeThreshold = responseTimeThreshold
        self.successRateThreshold = successRateThreshold
    }
}

/// That a test was taken.
package struct PerformanceTestResponse: Codable, Sendable, Hashable {
    package var config: PerformanceTestConfig
    package var requestId: String

    package init(config: PerformanceTestConfig, requestId: String) {
        self.config = config
        self.requestId = requestId
    }
}

/// How a test stands or ended.
package struct PerformanceTestResultResponse: Codable, Sendable, Hashable {
    package struct Times: Codable, Sendable, Hashable {
        package var average: Int
        package var p50: Int
        package var p90: Int
        package var p95: Int
        package var p99: Int

        package init(average: Int, p50: Int, p90: Int, p95: Int, p99: Int) {
            self.average = average
            self.p50 = p50
            self.p90 = p90
            self.p95 = p95
            self.p99 = p99
        }
    }

    package var config: PerformanceTestConfig
    package var target: String
    /// PENDING, PASS or FAIL.
    package var result: String
    package var numPending: Int
    /// The rest not while it is pending.
    package var successRate: Int?
    package var responseTimes: Times?
    package var failures: [String: Int]?

    package init(
        config: PerformanceTestConfig, target: String, result: String, numPending: Int,
        successRate: Int?, responseTimes: Times?, failures: [String: Int]?
    ) {
        self.config = config
        self.target = target
        self.result = result
        self.numPending = numPending
        self.successRate = successRate
        self.responseTimes = responseTimes
        self.failures = failures
    }
}
