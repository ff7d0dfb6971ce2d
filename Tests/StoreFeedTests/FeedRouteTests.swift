import Foundation
import StoreCore
import StoreFeed
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// The feed as partners fetch it, over real sockets.
@Suite struct FeedRouteTests {
    private static let root = "/feeds/epf/v5"
    private static let archive = "\(root)/current/itunes20160121.tbz"

    private struct Partner {
        let shop: FeedShop
        let server: StoreServer
        let client: LoopbackClient
        let id: Int64
        let header: String

        init() async throws {
            shop = try await FeedShop()
            let (partner, password) = try await shop.store.services.feedPartners.create(
                name: "Search", userName: "search", by: .machine)
            id = partner.id
            header = Self.basic("search", password)
            server = try StoreServer(store: shop.store, logsRequests: false)
            client = LoopbackClient(port: server.port)
            try await shop.add(.ebook, "Book", genres: [9031])
            let job = FeedJob(store: shop.store, address: server.address)
            _ = try await job.runIfDue()
        }

        static func basic(_ name: String, _ password: String) -> String {
            "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
        }

        func get(
            _ path: String, method: String = "GET", _ more: HTTPHeaders = [:]
        ) async throws -> HTTPResponse {
            var headers = more
            if headers["Authorization"] == nil { headers["Authorization"] = header }
            return try await client.send(
                HTTPRequest(method: method, path: path, headers: headers))
        }

        func end() async {
            let server = server
            _ = try? await onThread { server.stop() }
        }
    }

    @Test func `folders are index pages that importers know`() async throws {
        let partner = try await Partner()
        let root = try await partner.get(Self.root + "/")
        #expect(root.status == 200)
        #expect(root.text.contains("<th><a href=\"?C=N;O=D\">Name</a></th>"))
        #expect(root.text.contains("href=\"current/\""))
        #expect(root.text.contains("href=\"20160120/\""))
        #expect(!root.text.contains("Parent Directory"))
        let current = try await partner.get(Self.root + "/current/")
        for feed in FeedName.allCases {
            #expect(current.text.contains("href=\"\(feed.rawValue)20160121.tbz\""))
            #expect(current.text.contains("href=\"\(feed.rawValue)20160121.tbz.md5\""))
        }
        #expect(current.text.contains("href=\"/feeds/epf/v5/\">Parent Directory</a>"))
        #expect(!current.text.contains("incremental"))
        #expect(!current.text.contains(".export.json"))
        #expect(current.headers["Content-Type"] == "text/html;charset=UTF-8")
        let reversed = try await partner.get(Self.root + "/current/?C=N;O=D")
        let pricing = try #require(reversed.text.range(of: "href=\"pricing2"))
        let match = try #require(reversed.text.range(of: "href=\"match2"))
        #expect(pricing.lowerBound < match.lowerBound)
        let bare = try await partner.get(Self.root + "/current")
        #expect(bare.status == 301)
        #expect(bare.headers["Location"] == "/feeds/epf/v5/current/")

        partner.shop.clock.advance(by: 86_400)
        _ = try await FeedJob(store: partner.shop.store, address: "https://s.example").runIfDue()
        #expect(
            try await partner.get(Self.root + "/current/").text.contains("href=\"incremental/\""))
        let days = try await partner.get(Self.root + "/current/incremental/")
        #expect(days.text.contains("href=\"current/\"") && days.text.contains("href=\"20160122/\""))
        for week in ["current", "20160120"] {
            for day in ["current", "20160122"] {
                let path = "\(Self.root)/\(week)/incremental/\(day)/match20160122.tbz"
                #expect(try await partner.get(path).status == 200)
            }
        }
        await partner.end()
    }

    @Test func `an archive is fetched whole, in ranges, and compared`() async throws {
        let partner = try await Partner()
        let file = try Data(
            contentsOf: partner.shop.store.feedFolder.root.appendingPathComponent(
                "20160120/itunes20160121.tbz"))
        try #require(file.count > 100)
        let head = try await partner.get(Self.archive, method: "HEAD")
        #expect(head.status == 200)
        #expect(head.headers["Content-Length"] == "\(file.count)")
        #expect(head.headers["Accept-Ranges"] == "bytes")
        let tag = try #require(head.headers["ETag"])
        #expect(tag.hasPrefix("\""))
        #expect(tag.hasSuffix("\""))
        #expect(tag.count > 2)
        #expect(head.data.isEmpty)
        let whole = try await partner.get(Self.archive)
        #expect(whole.status == 200)
        #expect(whole.data == file)
        // As importers resume: the last bytes that they have once more.
        let cut = file.count / 2
        let start: Int = cut - 10
        let part = try await partner.get(
            Self.archive, ["Range": "bytes=\(start)-\(file.count - 1)"])
        #expect(part.status == 206)
        let range: String = "bytes \(start)-\(file.count - 1)/\(file.count)"
        #expect(part.headers["Content-Range"] == range)
        #expect(part.data == file[start...])
        let changed = try await partner.get(
            Self.archive, ["Range": "bytes=5-9", "If-Range": "\"other\""])
        #expect(changed.status == 200)
        let same = try await partner.get(Self.archive, ["Range": "bytes=5-9", "If-Range": tag])
        #expect(same.status == 206)
        #expect(same.data == file[5...9])
        let beyond = try await partner.get(Self.archive, ["Range": "bytes=\(file.count)-"])
        #expect(beyond.status == 416)
        #expect(beyond.headers["Content-Range"] == "bytes */\(file.count)")
        #expect(try await partner.get(Self.archive, ["If-None-Match": tag]).status == 304)
        let sum = try await partner.get(Self.archive + ".md5")
        let title: String = "MD5 (itunes20160121.tbz) = "
        #expect(sum.text.hasPrefix(title))
        #expect(sum.text.utf8.count == title.utf8.count + 33)
        await partner.end()
    }

    @Test func `only approved partners get anything`() async throws {
        let partner = try await Partner()
        let others: [HTTPHeaders] = [
            ["Authorization": ""], ["Authorization": "Basic"], ["Authorization": "Basic !!!"],
            ["Authorization": "Bearer x"], ["Authorization": Partner.basic("search", "wrong")],
            ["Authorization": Partner.basic("nobody", "wrong")],
            ["Authorization": Partner.basic("search\0", "wrong")],
            ["Authorization": "Basic " + String(repeating: "QUFB", count: 400)],
        ]
        for path in [Self.root + "/", Self.archive, Self.root + "/nothing"] {
            for headers in others.prefix(path == Self.archive ? 8 : 2) {
                let answer = try await partner.get(path, headers)
                #expect(answer.status == 401, "\(headers)")
                #expect(
                    answer.headers["WWW-Authenticate"]
                        == "Basic realm=\"Partner feed\", charset=\"UTF-8\"")
            }
        }
        #expect(try await partner.get(Self.archive).status == 200)
        _ = try await partner.shop.store.services.feedPartners.change(
            partner.id, isActive: false, by: .machine)
        #expect(try await partner.get(Self.archive).status == 401)
        await partner.end()
    }

    @Test func `too many wrong passwords are told when to come again`() async throws {
        let partner = try await Partner()
        let wrong: HTTPHeaders = ["Authorization": Partner.basic("other", "wrong")]
        for _ in 0..<5 { #expect(try await partner.get(Self.archive, wrong).status == 401) }
        let delayed = try await partner.get(Self.archive, wrong)
        #expect(delayed.status == 429)
        #expect(delayed.headers["Retry-After"] == "60")
        await partner.end()
    }

    @Test(arguments: [
        "/feeds/epf/v5/../../store.sqlite", "/feeds/epf/v5/current/..%2F..%2Fstore.sqlite",
        "/feeds/epf/v5/current/%2e%2e/%2e%2e/store.sqlite", "/feeds/epf/v5/current/.export.json",
        "/feeds/epf/v5/.lock",
        "/feeds/epf/v5/current/itunes20160121.tbz/", "/feeds/epf/v5/current/itunes20160122.tbz",
        "/feeds/epf/v5/20160113/", "/feeds/epf/v5/current/incremental/",
        "/feeds/epf/v5/%63urrent/secret20160121.tbz", "/feeds/epf/v5//etc/passwd",
        "/sandbox/feeds/epf/v5/current/itunes20160121.tbz",
    ])
    func `there is nothing elsewhere`(_ path: String) async throws {
        let partner = try await Partner()
        let answer = try await partner.get(path)
        #expect(answer.status == 404)
        #expect(!answer.text.contains("SQLite"))
        await partner.end()
    }

    @Test func `a name with a NUL in it is none`() async throws {
        let partner = try await Partner()
        for path in [Self.archive + "%00.md5", Self.root + "/?C=N%00", "/connect/v1/apps%00"] {
            let answer = try await partner.get(path)
            #expect(answer.status == 400)
            #expect(answer.text.contains("%00"))
        }
        await partner.end()
    }

    @Test func `nobody writes`() async throws {
        let partner = try await Partner()
        for method in ["PUT", "DELETE", "POST"] {
            #expect(try await partner.get(Self.archive, method: method).status == 405)
        }
        await partner.end()
    }
}
