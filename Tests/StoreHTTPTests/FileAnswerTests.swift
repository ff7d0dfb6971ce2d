import Foundation
import StoreHTTP
import StoreTestSupport
import Testing

@Suite struct FileAnswerTests {
    static let bytes = SampleShop.noise(3_000_000, seed: 3)

    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write("file", Self.bytes)
    }

    private func listening(_ slices: [String: Range<UInt64>], isLater: Bool) throws -> Listening {
        let path = file.path
        return try Listening { request in
            let range = slices[request.path] ?? 0..<0
            let slice = FileSlice(
                descriptor: open(path, O_RDONLY), offset: range.lowerBound,
                length: UInt64(range.count))
            let response = HTTPResponse(status: 206, file: slice)
            return isLater ? .later { response } : .now(response)
        }
    }

    @Test(
        arguments: [
            0..<3_000_000, 0..<1, 2_999_999..<3_000_000, 1_234_567..<2_345_678, 5..<5,
        ] as [Range<Int>])
    func `a slice arrives byte by byte`(range: Range<Int>) async throws {
        for isLater in [false, true] {
            let wanted = UInt64(range.lowerBound)..<UInt64(range.upperBound)
            let response = try await listening(["/": wanted], isLater: isLater).get("/")
            #expect(response.status == 206)
            #expect(response.headers["Content-Length"] == "\(range.count)")
            #expect(response.data == Self.bytes[range])
        }
    }

    @Test func `HEAD tells the length of a slice and sends nothing of it`() async throws {
        let listening = try listening(["/": 10..<30], isLater: false)
        let response = try await listening.send(HTTPRequest(method: "HEAD", path: "/"))
        #expect(response.headers["Content-Length"] == "20")
        #expect(response.data.isEmpty)
    }

    @Test(
        arguments: [
            ("bytes=0-", 0..<1000), ("bytes=500-", 500..<1500),
            ("bytes=-10", 2_999_990..<3_000_000),
            ("bytes=7-20", 7..<21), ("bytes=2999000-", 2_999_000..<3_000_000),
        ] as [(String, Range<Int>)])
    func `a range is no longer than the window, and says so`(
        header: String, sent: Range<Int>
    ) async throws {
        let path = file.path
        let listening = try Listening { request in
            let wanted = FileAnswer.wanted(
                by: request, entityTag: "\"a\"", length: 3_000_000, window: 1000)
            #expect(wanted == UInt64(sent.lowerBound)..<UInt64(sent.upperBound))
            return .now(
                FileAnswer(
                    descriptor: open(path, O_RDONLY), length: 3_000_000, mediaType: "audio/ogg",
                    entityTag: "\"a\"", cacheControl: "no-store", window: 1000
                ).response(to: request))
        }
        let response = try await listening.send(
            HTTPRequest(method: "GET", path: "/", headers: ["Range": header]))
        #expect(response.status == 206)
        #expect(
            response.headers["Content-Range"]
                == "bytes \(sent.lowerBound)-\(sent.upperBound - 1)/3000000")
        #expect(response.data == Self.bytes[sent])
    }

    @Test func `who asks for no range gets the whole, whatever the window`() throws {
        let request = HTTPRequest(method: "GET", path: "/")
        let wanted = FileAnswer.wanted(
            by: request, entityTag: "\"a\"", length: 3_000_000, window: 1000)
        #expect(wanted == 0..<3_000_000)
    }

    @Test func `many slices at once don't get mixed up`() async throws {
        let starts: [UInt64] = (0..<32).map { UInt64($0) * 90_000 }
        let ranges: [Range<UInt64>] = starts.map { $0..<$0 + 90_000 }
        var slices: [String: Range<UInt64>] = [:]
        for (number, range) in ranges.enumerated() { slices["/\(number)"] = range }
        let listening = try listening(slices, isLater: false)
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (number, range) in ranges.enumerated() {
                group.addTask {
                    let data = try await listening.get("/\(number)").data
                    return data == Self.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
        #expect(wrong == 0)
    }

    @Test func `a slice that nobody sends closes its file`() throws {
        let descriptor = open(file.path, O_RDONLY)
        try #require(descriptor >= 0)
        var wanted = stat()
        try #require(fstat(descriptor, &wanted) == 0)
        do { _ = FileSlice(descriptor: descriptor, offset: 0, length: 1) }
        // Tests run side by side: the number may be that of another file by now.
        var found = stat()
        let isOpen = fstat(descriptor, &found) == 0
        #expect(!isOpen || found.st_ino != wanted.st_ino || found.st_dev != wanted.st_dev)
    }
}
