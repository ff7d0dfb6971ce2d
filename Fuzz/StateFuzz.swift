import FoundationNetworking
import StoreSecurity

@testable import StoreKit
@testable import StoreModel
@testable import StoreWire

private let home = scratchFolder("state")
private let folders = DeviceFolders(
    bundleID: profile.payload.bundleId.text, environment: ["HOME": home.path])
private let tag = profile.tag

/// Launches an app on a device with a file that somebody or something has changed. The first byte
/// says which one it is; of a journal's lines (`l`) the checksums are put before them here, so that
/// changes get behind them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzState(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let kind = input.byte()
    let data = input.all()
    var file: URL?
    switch kind {
    case UInt8(ascii: "j"): file = folders.state.appendingPathComponent("journal-\(tag)")
    case UInt8(ascii: "d"): file = folders.state.appendingPathComponent("device")
    case UInt8(ascii: "s"): file = folders.sessions.appendingPathComponent("session-\(tag).json")
    case UInt8(ascii: "p"): file = record("promotions")
    case UInt8(ascii: "r"): file = record("reviews")
    case UInt8(ascii: "b"): file = record("content-libraries")
    case UInt8(ascii: "o"): file = ReceiptFile.url(profile: profile, folders: folders)
    case UInt8(ascii: "v"): readRestrictions(data)
    case UInt8(ascii: "f"): readProfile(data)
    case UInt8(ascii: "m"): readManifest(data)
    case UInt8(ascii: "i"): _ = try? ProductIdentifierFile(json: data, source: "a").identifiers
    case UInt8(ascii: "q"):
        _ = try? ProductIdentifierFile(propertyList: data, source: "a").identifiers
    case UInt8(ascii: "c"): readCopy(data)
    case UInt8(ascii: "u"): readFolders(data)
    case UInt8(ascii: "a"): readMessages(data)
    default: launch(journal: journal(lines: data))
    }
    guard let file else { return 0 }
    write(data, file)
    launch(journal: nil)
    try? FileManager.default.removeItem(at: file)
    return 0
}

private func record(_ name: String) -> URL {
    folders.state.appendingPathComponent("\(name)-\(tag).json")
}

private func write(_ data: Data, _ file: URL) {
    must {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }
}

private func journal(lines: Data) -> Data {
    lines.split(separator: UInt8(ascii: "\n")).reduce(into: Data("openstore-journal 1\n".utf8)) {
        let line = signed(Data($1))
        $0 += Data("\(SHA256Digest.hex(line).prefix(16)) ".utf8) + line + Data("\n".utf8)
    }
}

/// Opens everything, looks at it, and changes it.
///
/// - Parameter journal: the bytes of the journal; nil to read them from its file.
private func launch(journal: Data?) {
    let store = FuzzStore(Input(Data()))
    let memory = MemoryJournal(journal ?? Data())
    var storage: (@Sendable () throws -> any JournalStorage)?
    if journal != nil { storage = { memory } }
    guard let device = try? makeDevice(in: home, store, journal: storage) else { return }
    let callbacks = DispatchQueue(label: "fuzz")
    let waits = Waits(9)
    let engine = makeEngine(device, callbacks, waits)
    let queue = SKPaymentQueue(engine: engine)
    let observer = FuzzObserver()
    queue.add(observer)
    let promotions = PromotionOverrides(device: device)
    if let visibility = try? promotions.visibility(of: "a") {
        switch visibility {
        case .default, .show, .hide: break
        @unknown default: fail("a visibility that there is not")
        }
    }
    _ = try? promotions.order()
    try? promotions.set(.show, of: "b")
    _ = InstalledContent.versions(
        of: ProductID("com.example.chapter")!, in: InstalledContent.libraries(device))
    try? InstalledContent.record(home, device)
    _ = try? OpenStoreReceipt.current(on: device)
    wait {
        await ReviewPrompts(device: device, version: "1", now: { SampleAuthority.date }).request()
        await engine.jobs.end()
        await engine.close()
        waits.end()
        await engine.jobs.end()
    }
    callbacks.sync {}
    for transaction in queue.transactions { Glance.transaction(transaction) }
    withExtendedLifetime(observer) {}
    _ = (device.storefront, device.noticeSession())
    if journal != nil {
        // What the next launch writes anew is the same for the one after it.
        var written: [Data] = []
        for _ in 0..<2 {
            let journal = try? DeviceJournal(
                storage: memory, log: { fail("a journal of ours: \($0)") })
            if let journal, let history = journal.history(of: SampleAnswers.session.email) {
                Glance.history(history, StatementVerifier(device, journal))
            }
            written.append(memory.contents)
        }
        demand(written[0] == written[1], "a journal changed when it was opened again")
    }
}

private func readRestrictions(_ data: Data) {
    let file = home.appendingPathComponent("restrictions.json")
    write(data, file)
    chmod(file.path, 0o644)
    _ = DeviceRestrictions(file: file.path, owner: getuid(), user: "a").allowsPayments { _ in }
}

private func readProfile(_ data: Data) {
    _ = try? DeviceProfile(text: String(decoding: data, as: UTF8.self), source: "fuzz")
    guard let statement = try? authority.signer.sign(data, type: SignedKind.profile),
        let read = try? DeviceProfile(text: statement, source: "fuzz")
    else { return }
    // The first thing that every request of the app does.
    let client = StoreClient(
        profile: read, deviceID: "a", transport: FuzzStore(Input(Data())))
    wait { _ = try? await client.signIn(email: "a", password: "b") }
    _ = DeviceFolders(bundleID: read.payload.bundleId.text, environment: ["HOME": home.path])
}

private func readManifest(_ data: Data) {
    let folder = ManifestFolder(url: home.appendingPathComponent("manifest"))
    var input = Input(data)
    write(input.part(), folder.url.appendingPathComponent("outline"))
    _ = folder.load()
    // What the download agent reads.
    if let download = DownloadFolder(path: home.appendingPathComponent("1/com.example.a").path) {
        write(data, download.file("order.json"))
        _ = download.order
    }
}

private let list = URL(string: "http://127.0.0.1/products_v1.json")!

private func readCopy(_ data: Data) {
    let folder = home.appendingPathComponent("identifiers")
    let name = SHA256Digest.hex(Data(list.absoluteString.utf8)).prefix(32)
    write(data, folder.appendingPathComponent("\(name).json"))
    write(data, folder.appendingPathComponent("\(name).reported.json"))
    let identifiers = OpenStoreProductIdentifiers(
        serverURL: list, reportURL: list, cacheFolder: folder,
        transport: FuzzStore(Input(Data([0, 0]) + data)), now: { SampleAuthority.date },
        timeLimit: { try await Task.sleep(for: .seconds(3600)) }, log: { _ in })
    wait {
        _ = try? await identifiers.load()
        await identifiers.reportInvalid(["a"])
    }
}

private func readFolders(_ data: Data) {
    write(data, home.appendingPathComponent(".config/user-dirs.dirs"))
    let folders = DeviceFolders(bundleID: "a", environment: ["HOME": home.path])
    demand(folders.downloads.path.hasPrefix("/"), "downloads go into no folder")
}

/// What app and download agent say to each other.
private func readMessages(_ data: Data) {
    for isAgent in [true, false] {
        var ends: [Int32] = [0, 0]
        demand(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0, "no sockets")
        let (near, far) = (AgentConnection(ends[0]), AgentConnection(ends[1]))
        near.send(bytes: data)
        near.shutDown()
        if isAgent {
            while let request = far.receive(AgentRequest.self) {
                _ = DownloadFolder(path: request.folder)
            }
        } else {
            while far.receive(AgentReport.self) != nil {}
        }
    }
}
