import Foundation
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@Suite struct Journals {
    private static func entry(_ number: Int, _ product: String = "credits") -> JournalEntry {
        JournalEntry(
            key: key(number), payment: JournaledPayment(TestDevice.payment(product)),
            stage: .added)
    }

    private static func key(_ number: Int) -> PurchaseKey {
        PurchaseKey("purchase-key-\(100_000 + number)")!
    }

    private static func open(
        _ folder: TemporaryFolder, log: (String) -> Void = { _ in }
    ) throws -> DeviceJournal {
        try DeviceJournal(storage: try JournalFile(folder: folder.url, tag: "test"), log: log)
    }

    @Test func `entries keep the order in which they were added`() throws {
        let folder = try TemporaryFolder()
        do {
            let journal = try Self.open(folder)
            for number in 1...30 { try journal.put(Self.entry(number)) }
            var changed = Self.entry(7)
            changed.stage = .failed(JournaledError(SKError(.paymentCancelled)))
            try journal.put(changed)
            try journal.remove(Self.key(3))
        }
        let keys = try Self.open(folder).entries.map(\.key)
        #expect(keys == (1...30).filter { $0 != 3 }.map(Self.key))
    }

    @Test func `a journal is free once it is dropped, although a program was just started`() throws
    {
        let folder = try TemporaryFolder()
        var copy: Int32 = -1
        defer { close(copy) }
        do {
            let file = try JournalFile(folder: folder.url, tag: "test")
            // As a child has it between fork and exec.
            let lock = folder.file("journal-test.lock").path
            let manager = FileManager.default
            let own = try manager.contentsOfDirectory(atPath: "/proc/self/fd").first { name in
                let place = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                return place == lock
            }
            copy = dup(try #require(own.flatMap { Int32($0) }))
            withExtendedLifetime(file) {}
        }
        #expect(throws: Never.self) { try JournalFile(folder: folder.url, tag: "test") }
    }

    @Test func `an entry and the cursor of its event are written together or not at all`() throws {
        let storage = BreakableStorage()
        let journal = try DeviceJournal(storage: storage) { _ in }
        try journal.put(
            Self.entry(1), cursor: DeviceJournal.Cursor(account: "ada@example.com", event: 5))
        let whole = storage.data
        let line = try #require(
            whole.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { whole.index(after: $0) })
        for cut in line..<(whole.endIndex - 1) {
            storage.data = Data(whole[..<cut])
            let read = try DeviceJournal(storage: storage) { _ in }
            #expect(read.entries.isEmpty)
            #expect(read.cursor(of: "ada@example.com") == nil)
        }
        storage.data = whole
        let read = try DeviceJournal(storage: storage) { _ in }
        #expect(read.entries == [Self.entry(1)])
        #expect(read.cursor(of: "ada@example.com") == 5)
    }

    @Test func `what is over does not pile up, however long each line is`() throws {
        let storage = BreakableStorage()
        let journal = try DeviceJournal(storage: storage) { _ in }
        func change(_ number: Int) -> HistoryChange {
            var change = HistoryChange(account: "ada@example.com")
            let text = "\(number)" + String(repeating: "x", count: 400 << 10)
            change.subscriptions = [
                DeviceSubscriptionsAnswer.Group(
                    groupId: "1",
                    items: [.init(status: 1, signedTransaction: text, signedRenewalInfo: "")])
            ]
            return change
        }
        for number in 1...100 {
            try journal.put([change(number)])
            #expect(storage.data.count <= 5 << 20)
        }
        let read = try DeviceJournal(storage: storage) { _ in }
        #expect(
            read.history(of: "ada@example.com")?.subscriptions == change(100).subscriptions)
    }

    /// What the power fails in: a write that nobody has acted on.
    @Test func `a damaged tail is cut off and reported, whatever was damaged`() throws {
        let storage = BreakableStorage()
        let journal = try DeviceJournal(storage: storage) { _ in }
        for number in 1...3 { try journal.put(Self.entry(number)) }
        let whole = storage.data
        try journal.put(Self.entry(4))
        let torn = storage.data[whole.endIndex...]
        var tails = (1..<torn.count).map { Data(torn.prefix($0)) }
        // A file whose length was on disk before its bytes.
        tails += [1, 100, 5000].map { Data(count: $0) }
        for tail in tails {
            storage.data = whole + tail
            storage.aside = Data()
            var reports = 0
            let read = try DeviceJournal(storage: storage) { _ in reports += 1 }
            #expect(reports == 1)
            #expect(read.entries == (1...3).map { Self.entry($0) })
            #expect(storage.data == whole && storage.aside == tail)
            // What is written next stands behind whole lines.
            try read.put(Self.entry(9))
            #expect(
                try DeviceJournal(storage: storage, log: { _ in }).entries.last == Self.entry(9))
        }
    }

    /// A journal in which payments stand everywhere, of several lines each, and its lines.
    private static func lines() throws -> [Data] {
        let storage = BreakableStorage()
        let journal = try DeviceJournal(storage: storage) { _ in }
        let price = Money(thousandths: 990, currency: "USD")
        for number in 1...2 { try journal.put(entry(number)) }
        try journal.put(entry(1).at(.confirmed(price: price, account: "ada")))
        try journal.put(
            entry(3), cursor: DeviceJournal.Cursor(account: "ada", event: 5))
        try journal.put(entry(1).at(.deferred(price: price, account: "ada")))
        try journal.put(entry(2).at(.finishing(TransactionID(number: 7))))
        try journal.remove(key(2))
        try journal.put(DeviceJournal.Cursor(account: "ada", event: 6))
        return storage.data.split(separator: UInt8(ascii: "\n")).map { $0 + Data("\n".utf8) }
    }

    @Test func `whichever bit of a journal is wrong, all other lines count, and it is said once`()
        throws
    {
        let lines = try Self.lines()
        try #require(lines.count == 9)
        let whole = Data(lines.joined())
        let storage = BreakableStorage()
        for (number, line) in lines.enumerated() {
            let start = lines[..<number].reduce(0) { $0 + $1.count }
            // What the other lines say.
            var others = lines
            if number > 0 { others.remove(at: number) }
            storage.data = Data(others.joined())
            let expected = try DeviceJournal(storage: storage) { _ in }
            for position in start..<start + line.count {
                for bit in number == 0 ? Array(0..<8) : [position % 8] {
                    storage.data = whole
                    storage.data[position] ^= 1 << UInt8(bit)
                    let damaged = storage.data
                    storage.aside = Data()
                    var reports = 0
                    guard
                        let read = try? DeviceJournal(storage: storage, log: { _ in reports += 1 })
                    else {
                        // Another digit in its header makes it another version's.
                        #expect(number == 0 && storage.data == damaged && reports == 0)
                        continue
                    }
                    let place: Comment = "byte \(position), bit \(bit)"
                    #expect(read.entries == expected.entries, place)
                    #expect(read.cursor(of: "ada") == expected.cursor(of: "ada"), place)
                    #expect(reports == 1 && storage.aside.count == line.count, place)
                }
            }
        }
    }

    @Test func `damaged lines are kept in a file beside, which does not grow for ever`() throws {
        let folder = try TemporaryFolder()
        do {
            let journal = try Self.open(folder)
            for number in 1...3 { try journal.put(Self.entry(number)) }
        }
        let file = folder.file("journal-test")
        let whole = try Data(contentsOf: file)
        let lines = whole.split(separator: UInt8(ascii: "\n"))
        try #require(lines.count == 4)
        var damaged = Data(lines[2])
        damaged[damaged.startIndex + 40] ^= 1
        let text = [lines[0], lines[1], damaged, lines[3], Data()].joined(
            separator: Data("\n".utf8))
        try Data(text).write(to: file)
        var said: [String] = []
        let read = try Self.open(folder) { said.append($0) }
        #expect(read.entries == [Self.entry(1), Self.entry(3)])
        let aside = folder.file("journal-test.damaged")
        #expect(said.count == 1 && said.first?.contains(aside.path) == true)
        #expect(try Data(contentsOf: aside) == damaged + Data("\n".utf8))
        let permissions = try FileManager.default.attributesOfItem(atPath: aside.path)[
            .posixPermissions]
        #expect(permissions as? Int == 0o600)

        let large = try TemporaryFolder()
        let storage = try JournalFile(folder: large.url, tag: "test")
        for _ in 0..<5 { _ = try storage.setAside(Data(count: 600_000)) }
        #expect(try Data(contentsOf: large.file("journal-test.damaged")).count == 1 << 20)
    }

    @Test func `a damaged header is said once, and costs no line`() throws {
        let storage = BreakableStorage()
        let journal = try DeviceJournal(storage: storage) { _ in }
        for number in 1...3 { try journal.put(Self.entry(number)) }
        let whole = storage.data
        let all = (1...3).map { Self.entry($0) }
        var damaged = (1..<20).map { (data: Data(whole[..<$0]), left: [JournalEntry]()) }
        for position in 0..<20 {
            var data = whole
            data[position] ^= 0x15
            damaged.append((data, all))
        }
        for (data, left) in damaged {
            storage.data = data
            var reports = 0
            for _ in 0..<2 {
                let read = try DeviceJournal(storage: storage) { _ in reports += 1 }
                #expect(read.entries == left, "\(data.prefix(20) as NSData)")
            }
            #expect(reports == 1)
        }
        storage.data = Data("openstore-journal 2\n".utf8)
        #expect(throws: SKError.self) { try DeviceJournal(storage: storage) { _ in } }
    }

    @Test func `the log may use the queue while the journal is opened`() async throws {
        let storage = BreakableStorage()
        storage.data = Data("openstore-journal ".utf8)
        let folder = try TemporaryFolder()
        let profile = try await TestStore().profile()
        let made = Mutex<PaymentEngine?>(nil)
        let lines = Mutex(0)
        let device = try StoreDevice(
            profile: try DeviceProfile(text: profile, source: "test"),
            environment: ["HOME": folder.url.path], journal: { storage },
            log: { _ in
                lines.withLock { $0 += 1 }
                _ = made.withLock { $0 }?.storefront
            })
        let engine = PaymentEngine { device }
        made.withLock { $0 = engine }
        _ = try engine.open()
        let count = lines.withLock { $0 }
        #expect(count == 1)
        made.withLock { $0 = nil }
    }

    @Test func `what is over does not pile up while the journal is open`() throws {
        let folder = try TemporaryFolder()
        let journal = try Self.open(folder)
        try journal.put(Self.entry(0))
        var largest = 0
        for number in 1...3000 {
            try journal.put(Self.entry(number))
            try journal.remove(Self.key(number))
            let path = folder.file("journal-test").path
            largest = max(
                largest,
                try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
        }
        #expect(largest < 200_000)
        #expect(journal.entries == [Self.entry(0)])
        try journal.put(Self.entry(4000))
        #expect(journal.entries == [Self.entry(0), Self.entry(4000)])
    }

    @Test func `a failed write changes nothing, here and on disk`() throws {
        let storage = BreakableStorage()
        let journal = try DeviceJournal(storage: storage) { _ in }
        try journal.put(Self.entry(1))
        storage.isBroken = true
        #expect(throws: CocoaError.self) { try journal.put(Self.entry(2)) }
        #expect(throws: CocoaError.self) { try journal.remove(Self.key(1)) }
        #expect(journal.entries == [Self.entry(1)])
        storage.isBroken = false
        #expect(try DeviceJournal(storage: storage) { _ in }.entries == [Self.entry(1)])
    }

    @Test func `a payment's details survive a restart`() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "credits"
        payment.quantity = 3
        payment.applicationUsername = "ada"
        payment.simulatesAskToBuyInSandbox = true
        let nonce = UUID()
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "offer", keyIdentifier: "key", nonce: nonce, signature: "c2ln",
            timestamp: 1_800_000_000_000)
        let storage = BreakableStorage()
        try DeviceJournal(storage: storage) { _ in }.put(
            JournalEntry(key: Self.key(1), payment: JournaledPayment(payment), stage: .added))
        let read = try #require(
            try DeviceJournal(storage: storage) { _ in }.entries.first?.payment.payment)
        #expect(read.quantity == 3 && read.applicationUsername == "ada")
        #expect(read.simulatesAskToBuyInSandbox)
        #expect(read.paymentDiscount?.nonce == nonce)
        #expect(read.paymentDiscount?.timestamp == 1_800_000_000_000)
    }
}

/// A journal's bytes in memory, which can be damaged, and refuse to be written.
private final class BreakableStorage: JournalStorage {
    private let state = Mutex((data: Data(), aside: Data(), isBroken: false))

    var data: Data {
        get { state.withLock { $0.data } }
        set { state.withLock { $0.data = newValue } }
    }

    /// What was set aside.
    var aside: Data {
        get { state.withLock { $0.aside } }
        set { state.withLock { $0.aside = newValue } }
    }

    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    let name = "memory"

    func read() throws -> Data { data }

    func append(_ data: Data) throws {
        guard !isBroken else { throw CocoaError(.fileWriteOutOfSpace) }
        self.data += data
    }

    func replace(_ data: Data) throws {
        guard !isBroken else { throw CocoaError(.fileWriteOutOfSpace) }
        self.data = data
    }

    func setAside(_ damaged: Data) throws -> String {
        guard !isBroken else { throw CocoaError(.fileWriteOutOfSpace) }
        aside += damaged
        return name
    }
}
