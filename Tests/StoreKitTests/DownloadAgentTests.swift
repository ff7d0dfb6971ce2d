import CStoreLinux
import Foundation
import FoundationNetworking
import StoreCore
@testable import StoreKit
import StoreKernel
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// A device whose downloads an agent fetches, which runs in this process.
private struct AgentFixture {
    let store: TestStore
    let folder: TemporaryFolder
    let transport: HeldTransport
    let environment: [String: String]
    private let agent: Task<Void, any Error>

    init(
        clock: any StoreClock = SystemClock(),
        afterFirstRange: @escaping @Sendable () -> Void = {}
    ) async throws {
        store = try await TestStore(clock: clock, noiseBytes: 3_000_000)
        folder = try TemporaryFolder()
        transport = HeldTransport(afterFirstRange: afterFirstRange)
        environment = [
            "HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.file("run").path,
        ]
        let made = DownloadAgent(
            environment: environment, times: DownloadAgent.Times(idle: .seconds(3600)),
            transport: transport, retry: Self.atOnce, log: { _ in })
        let agent = try #require(made)
        self.agent = Task { try await agent.run(listener: nil) }
        let socket = try #require(AgentSocket(environment: environment))
        try await until { socket.connect() != nil }
    }

    private static let atOnce = RetryPolicy(
        attempts: 4, longDelay: .zero, sleep: { _ in await Task.yield() },
        idle: { await Task.yield() }, jitter: { 0 })

    func device() async throws -> TestDevice {
        try await TestDevice(store, folder: folder, environment: environment)
    }

    func end() async throws {
        agent.cancel()
        try await agent.value
    }

    /// The folder of a download.
    func folder(of download: SKDownload, _ device: TestDevice) throws -> DownloadFolder {
        DownloadFolder(
            transaction: try #require(
                TransactionID(download.transaction.transactionIdentifier ?? "")),
            content: try #require(ProductID(download.contentIdentifier)), device: device.device)
    }
}

/// The real transport; ranges of content wait till they are let through.
private final class HeldTransport: RequestTransport {
    let gate = Gate()
    let ranges = Counter()
    private let inner = HTTPTransport()
    private let afterFirstRange: @Sendable () -> Void

    init(afterFirstRange: @escaping @Sendable () -> Void) {
        self.afterFirstRange = afterFirstRange
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await inner.send(request)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        await gate.passes()
        let number = ranges.next()
        try await inner.stream(request, accept: accept, sink: sink)
        if number == 1 { afterFirstRange() }
    }
}

struct DownloadAgents {
    private func expectWhole(_ download: SKDownload) throws {
        let noise = try #require(download.contentURL)
            .appendingPathComponent("Contents/pictures/noise.bin")
        #expect(try Data(contentsOf: noise) == SampleShop.noise(3_000_000, seed: 7))
    }

    @Test func `pausing, resuming and finishing reach the agent`() async throws {
        let fixture = try await AgentFixture()
        let device = try await fixture.device()
        let bought = try await device.buy(SampleShop.chapter)
        let download = try #require(bought.downloads.first)
        let folder = try fixture.folder(of: download, device)
        device.queue.start([download])
        await fixture.transport.gate.isReached()
        #expect(try FolderLock.take(folder.file("lock")) == nil)
        device.queue.pause([download])
        fixture.transport.gate.open()
        _ = try await device.recorder.download(.paused)
        // Nobody fetches, and nobody will.
        #expect(try FolderLock.take(folder.file("lock")) != nil)
        #expect(!folder.hasOrder && download.contentURL == nil)

        device.queue.resume([download])
        let finished = try await device.recorder.download(.finished)
        try expectWhole(finished)
        #expect(finished.progress == 1 && !folder.hasOrder)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }
        #expect(access(folder.path, F_OK) != 0)
        try await fixture.end()
    }

    @Test func `an hour later, and signed out, the agent goes on with its token`() async throws {
        let clock = SettableClock()
        let fixture = try await AgentFixture(clock: clock) { clock.advance(by: 3601) }
        let device = try await fixture.device()
        let bought = try await device.buy(SampleShop.chapter)
        device.queue.start(bought.downloads)
        await fixture.transport.gate.isReached()
        try await device.device.signOut()
        fixture.transport.gate.open()
        try expectWhole(try await device.recorder.download(.finished))
        try await fixture.end()
    }

    /// The file that the agent reads is readable by any program of the user, as all of the app's.
    @Test func `an order holds nothing that signs in, and only its owner reads it`() async throws {
        let fixture = try await AgentFixture()
        let device = try await fixture.device()
        let bought = try await device.buy(SampleShop.chapter)
        let folder = try fixture.folder(of: try #require(bought.downloads.first), device)
        device.queue.start(bought.downloads)
        await fixture.transport.gate.isReached()
        let file = folder.file("order.json")
        let order = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let session = try #require(device.device.sessions.session)
        #expect(!order.contains(session.token) && !order.contains(session.email))
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        fixture.transport.gate.open()
        _ = try await device.recorder.download(.finished)
        try await fixture.end()
    }

    @Test func `what is no request ends its connection, and the agent serves the next one`()
        async throws
    {
        let fixture = try await AgentFixture()
        fixture.transport.gate.open()
        let device = try await fixture.device()
        let bought = try await device.buy(SampleShop.chapter)
        let socket = try #require(AgentSocket(environment: fixture.environment))
        let number = bought.transactionIdentifier ?? ""
        let place = fixture.folder.file("x/\(number)/\(SampleShop.chapter)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        func request(_ folder: String, _ verb: String = "fetch") -> Data {
            framed(Data(#"{"verb":"\#(verb)","folder":"\#(folder)"}"#.utf8))
        }
        let wrongs: [Data] = [
            Data([0xff, 0xff, 0xff, 0xff]), Data([0, 0, 0x20, 1]), Data([0, 0, 0, 0]),
            framed(Data("null".utf8)), framed(Data("[]".utf8)), framed(Data([0xff, 0xfe])),
            framed(Data(String(repeating: "[", count: 5000).utf8)), request("relative/1/a"),
            request("/"), request("/etc"), request("/tmp/../1/com.example.a"),
            request(String(repeating: "/a", count: 3000)), request(place.path, "remove"),
        ]
        for wrong in wrongs {
            #expect(await answer(of: socket, to: wrong) == nil, "\(wrong.prefix(80))")
        }
        // A download, but none that was ordered: garbage, a link, too long.
        let order = place.appendingPathComponent("order.json")
        for content in [Data("{}".utf8), Data(count: 2 << 20), nil] {
            try? FileManager.default.removeItem(at: order)
            if let content {
                try content.write(to: order)
            } else {
                #expect(symlink("/etc/passwd", order.path) == 0)
            }
            #expect(
                await answer(of: socket, to: request(place.path)) == AgentReport(event: .released))
        }
        #expect(
            await answer(of: socket, to: request(place.path, "stop"))
                == AgentReport(event: .released))
        device.queue.start(bought.downloads)
        try expectWhole(try await device.recorder.download(.finished))
        // Nobody else gets in.
        chmod(fixture.folder.file("run/openstore").path, 0o755)
        #expect(socket.connect() == nil)
        try await fixture.end()
    }

    private func framed(_ body: Data) -> Data {
        withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) } + body
    }

    /// What the agent says to some bytes, behind which nothing comes; nil where it says nothing.
    private func answer(of socket: AgentSocket, to bytes: Data) async -> AgentReport? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                guard let connection = socket.connect() else {
                    return continuation.resume(returning: nil)
                }
                connection.send(bytes: bytes)
                continuation.resume(returning: connection.receive(AgentReport.self))
            }
        }
    }

    @Test func `an agent that can't run is said once, and the app fetches by itself`() async throws
    {
        let store = try await TestStore(noiseBytes: 3_000_000)
        let folder = try TemporaryFolder()
        let environment = [
            "HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.url.path,
            "OPENSTORE_DOWNLOAD_AGENT": "/bin/false",
        ]
        let device = try await TestDevice(store, folder: folder, environment: environment)
        let bought = try await device.buy(SampleShop.chapter)
        // An agent that an earlier run of the app had was killed, and the download is still in its list.
        let list = AgentList(environment: environment)
        let download = try #require(bought.downloads.first)
        try list.add(
            DownloadFolder(
                transaction: try #require(
                    TransactionID(download.transaction.transactionIdentifier ?? "")),
                content: try #require(ProductID(download.contentIdentifier)), device: device.device)
        )
        device.queue.start(bought.downloads)
        try expectWhole(try await device.recorder.download(.finished))
        #expect(device.recorder.logged.count { $0.contains("/bin/false is not used") } == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: list.folder.path) == [])
    }

    @Test func `an app finds its agent where it is told, and fetches by itself where it is told`() {
        let folder = ["XDG_RUNTIME_DIR": "/run/user/1"]
        func has(_ more: [String: String]) -> Bool {
            AgentAccess(environment: folder.merging(more) { $1 }, log: { _ in }) != nil
        }
        #expect(has([:]) && has(["OPENSTORE_DOWNLOADS": "agent"]))
        #expect(!has(["OPENSTORE_DOWNLOADS": "inside"]) && !has(["OPENSTORE_DEVICES": "/tmp"]))
        let told = ["HOME": "/h", "XDG_STATE_HOME": "/s", "https_proxy": "p"]
        let own = ["OPENSTORE_TESTER": "a:b", "OPENSTORE_API_KEY": "k", "TOKEN": "t"]
        #expect(AgentAccess.inherited(told.merging(own) { $1 }) == told)
        #expect(!has(["XDG_RUNTIME_DIR": ""]) && !has(["XDG_RUNTIME_DIR": "run"]))
    }
}
