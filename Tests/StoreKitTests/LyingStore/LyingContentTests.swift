import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// What an app sees of a store that lies about hosted content: the content, or a download that has
/// failed and can be started again.
struct LyingContents {
    private static let grants = "/downloads"
    private static let bytes = "/content/"

    /// A lie about bytes.
    struct ByteLie: Sendable, CustomTestStringConvertible {
        var name: String
        var lie: LyingStore.Lie

        var testDescription: String { name }
    }

    private static let byteLies: [ByteLie] = [
        ByteLie(name: "nothing", lie: .instead(status: 206, body: Data())),
        ByteLie(name: "other bytes", lie: .instead(status: 206, body: Data("Hello".utf8))),
        ByteLie(name: "a long other body", lie: .instead(status: 200, body: Data(count: 1 << 20))),
        ByteLie(name: "half of it", lie: .changed { $0.prefix($0.count / 2) }),
        ByteLie(name: "twice of it", lie: .changed { $0 + $0 }),
        ByteLie(name: "a byte more", lie: .changed { $0 + Data([0]) }),
        ByteLie(name: "zeros", lie: .changed { Data(count: $0.count) }),
        ByteLie(
            name: "a wrong byte",
            lie: .changed { bytes in
                var bytes = Data(bytes)
                if !bytes.isEmpty { bytes[bytes.count / 2] ^= 1 }
                return bytes
            }),
        ByteLie(name: "401", lie: .instead(status: 401, body: Data())),
        ByteLie(name: "404", lie: .instead(status: 404, body: Data())),
        ByteLie(name: "416", lie: .instead(status: 416, body: Data())),
        ByteLie(name: "500", lie: .instead(status: 500, body: Data("{}".utf8))),
        ByteLie(name: "204", lie: .bytes("HTTP/1.1 204 No Content\r\n\r\n")),
        ByteLie(name: "no answer", lie: .bytes("")),
        ByteLie(name: "no end", lie: .endless),
        ByteLie(
            name: "elsewhere",
            lie: .bytes(
                "HTTP/1.1 307 On\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n")),
        ByteLie(
            name: "a file",
            lie: .bytes(
                "HTTP/1.1 302 On\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n")),
    ]

    /// Waits for the end of a download.
    private static func end(
        of download: SKDownload, on device: TestDevice
    ) async throws -> SKDownloadState {
        let event = try await device.recorder.next { event in
            guard case .download(let other, let state) = event, other === download else {
                return false
            }
            return [.finished, .failed, .cancelled].contains(state)
        }
        guard case .download(_, let state) = event else { throw Recorder.Ended() }
        return state
    }

    /// Downloads what was bought while the store lies, and again when it has become honest.
    ///
    /// - Returns: whether the app got it in spite of the lies.
    @discardableResult
    private static func fetch(
        _ bought: SKPaymentTransaction, from device: LyingDevice, _ name: String
    ) async throws -> Bool {
        let download = try #require(bought.downloads.first, "\(name)")
        device.test.queue.start([download])
        let isThere = try await end(of: download, on: device.test) == .finished
        if !isThere {
            #expect(download.contentURL == nil, "\(name)")
            #expect(download.error?.localizedDescription.isEmpty == false, "\(name)")
            device.liar.keepTelling(nil, about: bytes)
            device.test.queue.start([download])
            let state = try await end(of: download, on: device.test)
            try #require(state == .finished, "\(name): \(String(describing: download.error))")
        }
        let noise = try #require(download.contentURL, "\(name)")
            .appendingPathComponent("Contents/pictures/noise.bin")
        #expect(try Data(contentsOf: noise) == SampleShop.noise(1000, seed: 7), "\(name)")
        device.test.queue.finishTransaction(bought)
        _ = try await device.test.recorder.next { $0.isRemoval }
        return isThere
    }

    @Test func `whatever the answer to a download says, the content comes, or is asked for again`()
        async throws
    {
        let device = try await LyingDevice()
        try await Self.fetch(try await device.test.buy(SampleShop.chapter), from: device, "truth")
        let path = try #require(
            device.liar.requests(about: Self.grants).last?.trimmingPrefix("/sandbox"))
        let truth = try #require(device.liar.truth(about: String(path)))
        let lies = try FieldLie.all(about: truth)
        try #require(lies.count >= 48)
        for lie in lies {
            let bought = try await device.test.buy(SampleShop.chapter)
            device.liar.tell([.changed { lie.applied(to: $0) }], about: Self.grants)
            try await Self.fetch(bought, from: device, "\(lie)")
        }
    }

    @Test func `whatever a store says of a transaction's content, its download ends`()
        async throws
    {
        let device = try await LyingDevice()
        _ = try await device.test.buy(SampleShop.chapter)
        let truth = try #require(device.liar.truth(about: DeviceRoute.purchases))
        var begun = 0
        for lie in try FieldLie.all(about: truth)
        where lie.path.first == .key("contents") && lie.path.count > 1 {
            device.liar.tell([.changed { lie.applied(to: $0) }], about: DeviceRoute.purchases)
            let bought = try await device.test.buy(SampleShop.chapter)
            for download in bought.downloads {
                begun += 1
                device.test.queue.start([download])
                _ = try await Self.end(of: download, on: device.test)
                if download.state == .failed { #expect(download.contentURL == nil, "\(lie)") }
            }
        }
        #expect(begun > 20)
        try await Self.fetch(try await device.test.buy(SampleShop.chapter), from: device, "truth")
    }

    @Test(arguments: byteLies)
    func `whichever bytes of the content are a lie, the app gets none of them`(
        _ row: ByteLie
    ) async throws {
        let device = try await LyingDevice()
        // The manifest, the table of a blob, its chunks: each may be the one.
        for honest in 0..<3 {
            let bought = try await device.test.buy(SampleShop.chapter)
            device.liar.tell(
                Array(repeating: .changed { $0 }, count: honest) + [row.lie], about: Self.bytes)
            try await Self.fetch(bought, from: device, "after \(honest) answers")
        }
        // And all of them.
        let bought = try await device.test.buy(SampleShop.chapter)
        device.liar.keepTelling(row.lie, about: Self.bytes)
        let isThere = try await Self.fetch(bought, from: device, "each answer")
        #expect(!isThere)
    }

    @Test func `content that drips ends with the download that is cancelled`() async throws {
        let device = try await LyingDevice()
        let bought = try await device.test.buy(SampleShop.chapter)
        let download = try #require(bought.downloads.first)
        device.liar.keepTelling(.dripping, about: Self.bytes)
        device.test.queue.start([download])
        try await until { device.liar.bytesOfLies > 100 }
        device.test.queue.cancel([download])
        #expect(try await Self.end(of: download, on: device.test) == .cancelled)
        device.liar.keepTelling(nil, about: Self.bytes)
        try await Self.fetch(try await device.test.buy(SampleShop.chapter), from: device, "truth")
    }
}
