import Foundation
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreContent

/// What is fetched at once, for whomever, has a limit.
struct ScratchSpaceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func space() -> ScratchSpace {
        ScratchSpace(folder: folder.file("scratch"), share: 2, free: { _ in 1000 })
    }

    @Test func `all files together get a share of what is free`() throws {
        let space = space()
        var files = [try space.file(length: 200), try space.file(length: 300)]
        #expect(throws: ContentBusy.self) { try space.file(length: 1) }
        files.removeLast()
        files.append(try space.file(length: 250))
        #expect(throws: ContentBusy.self) { try space.file(length: 51) }
        #expect(files.count == 2)
    }

    @Test func `room is there again when whoever reads has closed the file`() throws {
        let space = space()
        let descriptor = try space.file(length: 500).take()
        #expect(throws: ContentBusy.self) { try space.file(length: 1) }
        close(descriptor)
        // Files of others come in its place, with its number.
        let others = try (1...10).map { _ in try ScratchFile(in: folder.url) }
        defer { withExtendedLifetime(others) {} }
        let next = try space.file(length: 500)
        #expect(next.descriptor >= 0)
    }

    @Test func `what never fits is told apart from what does not fit now`() throws {
        #expect(throws: ObjectStoreError(.disk, "")) { try space().file(length: 501) }
        #expect(throws: ObjectStoreError(.disk, "")) { try space().file(length: .max) }
    }

    @Test func `many small files are forgotten when they are closed`() throws {
        let space = space()
        for _ in 1...1000 { close(try space.file(length: 500).take()) }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.file("scratch").path)
        #expect(names.isEmpty)
    }

    @Test func `files are open to nobody else`() throws {
        let file = try ScratchFile(in: folder.url)
        var status = stat()
        #expect(fstat(file.descriptor, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
}
