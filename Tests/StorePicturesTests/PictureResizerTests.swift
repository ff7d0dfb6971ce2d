import Dispatch
import Foundation
import StoreCore
import StoreModel
import StorePictures
import StoreTestSupport
import Synchronization
import Testing

/// Who makes pictures, and how many at a time.
@Suite struct PictureResizerTests {
    private let place: TemporaryFolder
    private let original: URL
    private static let digest = ContentDigest(String(repeating: "a", count: 64))!
    private static let other = ContentDigest(String(repeating: "b", count: 64))!

    /// How many there are at the same time.
    private final class Visitors: Sendable {
        private let state = Mutex((now: 0, most: 0))

        func enter() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }

        var most: Int { state.withLock { $0.most } }
    }

    init() throws {
        place = try TemporaryFolder()
        original = try place.write("original.png", SamplePicture.square(64))
    }

    private func resizer(workers: Int, waiting: Int) throws -> PictureResizer {
        PictureResizer(
            folder: try RenditionFolder(root: place.file("renditions"), limit: 1 << 20),
            workers: workers, waiting: waiting, report: { Issue.record("\($0)") })
    }

    private static func content(_ file: URL) -> OpenContent? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let size = try? Data(contentsOf: file).count else { return nil }
        return OpenContent(descriptor: descriptor, length: UInt64(size))
    }

    private static func bytes(_ picture: MadePicture?) throws -> Data? {
        switch picture {
        case nil: nil
        case .bytes(let bytes): bytes
        case .file(let content):
            try FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true).readToEnd()
        }
    }

    @Test func `a picture is made once, however many ask for it`() async throws {
        let resizer = try resizer(workers: 2, waiting: 64)
        let size = try #require(PictureSize("32x32bb.png"))
        let opened = Visitors()
        let answers = try await withThrowingTaskGroup(of: Data?.self) { group in
            for _ in 0..<20 {
                group.addTask { [original] in
                    try Self.bytes(
                        try await resizer.rendition(size, of: Self.digest) {
                            opened.enter()
                            return Self.content(original)
                        })
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened.most == 1, "nobody left, so two would be two at a time")
        #expect(Set(answers).count == 1)
        let picture = answers.first ?? nil
        #expect(ImageHeader(of: try #require(picture))?.width == 32)
    }

    @Test func `a photograph has the sides that are seen`() async throws {
        let resizer = try resizer(workers: 1, waiting: 1)
        let file = try place.write("photograph.jpg", PictureTests.photograph(6))
        let header = try await resizer.check(try #require(Self.content(file)))
        #expect(header == ImageHeader(format: .jpeg, width: 8, height: 16))
    }

    @Test func `an original is read by one at a time`() async throws {
        let resizer = try resizer(workers: 4, waiting: 64)
        let readers = Visitors()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for side in 1...12 {
                group.addTask { [original] in
                    let size = PictureSize("\(side)x\(side)bb.png")!
                    _ = try Self.bytes(
                        try await resizer.rendition(size, of: Self.digest) {
                            readers.enter()
                            for _ in 0..<1000 { sched_yield() }
                            readers.leave()
                            return Self.content(original)
                        })
                }
            }
            try await group.waitForAll()
        }
        #expect(readers.most == 1)
    }

    @Test func `who comes when too many wait is told so`() async throws {
        let resizer = try resizer(workers: 1, waiting: 0)
        let size = try #require(PictureSize("32x32bb.png"))
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let file = original
        async let first = resizer.rendition(size, of: Self.digest) {
            begun.signal()
            end.wait()
            return Self.content(file)
        }
        // Whatever fails meanwhile: nothing waits for ever.
        defer { end.signal() }
        try await onThread { begun.wait() }
        for digest in [Self.digest, Self.other] {
            await #expect(throws: PicturesBusy.self) {
                _ = try await resizer.rendition(size, of: digest) { nil }
            }
        }
        let content = try #require(Self.content(original))
        await #expect(throws: PicturesBusy.self) { _ = try await resizer.check(content) }
        end.signal()
        #expect(try Self.bytes(try await first) != nil)
        // There is room again.
        let again = try #require(Self.content(original))
        #expect(try await resizer.check(again).width == 64)
    }

    @Test func `originals that are missing or damaged give none, and leave nothing`() async throws {
        let resizer = try resizer(workers: 1, waiting: 0)
        let size = try #require(PictureSize("32x32bb.png"))
        #expect(try Self.bytes(try await resizer.rendition(size, of: Self.digest) { nil }) == nil)
        let damaged = try place.write("damaged.png", SamplePicture.square(64).dropLast(20))
        for _ in 0..<2 {
            await #expect(throws: PictureProblem.damaged) {
                _ = try await resizer.rendition(size, of: Self.digest) { Self.content(damaged) }
            }
        }
        let files = try FileManager.default.contentsOfDirectory(
            atPath: place.file("renditions").path)
        #expect(files.isEmpty)
    }
}
