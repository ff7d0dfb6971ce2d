import Foundation
import StoreBackup
import StoreCore
import StoreModel
import StoreSecurity

/// Something that the database named when it was read, and that was not there, or was something
/// else: a store that runs may have taken it away meanwhile.
private struct Suspicion {
    let check: String
    let problem: String
    /// A digest, or the identifier of an upload.
    let id: String
    let place: String
    let advice: String
}

extension StoreDiagnostics {
    /// Looks whether what the database names is there, and is what it names.
    func checkContent(
        _ inspection: DatabaseInspection, _ report: inout DiagnosticsReport, _ progress: Progress
    ) {
        do {
            paths.objects?.expect(owner: try paths.fingerprint())
            let inventory = try inspection.snapshot { try inspection.inventory() }
            let content = try paths.content()
            let media = try paths.media()
            let all = (inventory.content + inventory.media).reduce(0) { $0 + ($1.size ?? 0) }
            var done: Int64 = 0
            func read(_ bytes: Int64) {
                done += bytes
                progress(done, max(all, done))
            }
            var suspicions: [Suspicion] = []
            try check(inventory.content, of: content, .content, &suspicions, &report, read)
            try check(inventory.media, of: media, .media, &suspicions, &report, read)
            try checkUploads(inventory.uploads, &suspicions, &report, read)
            guard !suspicions.isEmpty else { return }
            let again = try inspection.snapshot { try inspection.inventory() }
            let named = Set(
                (again.content + again.media).map(\.digest.text)
                    + again.uploads.map(\.id.text))
            for suspicion in suspicions where named.contains(suspicion.id) {
                report.add(
                    .broken, suspicion.check, suspicion.problem, at: suspicion.place,
                    suspicion.advice)
            }
        } catch {
            report.add(
                .broken, "content", "it can't be read: \(error)",
                at: paths.bucket ?? paths.directory.path,
                "see that the bucket, or the disk, answers")
        }
    }

    private func check(
        _ items: [StoreInventory.Item], of store: (any ContentStore)?, _ kind: Kind,
        _ suspicions: inout [Suspicion], _ report: inout DiagnosticsReport, _ read: (Int64) -> Void
    ) throws {
        let name = kind.rawValue
        var own: [Suspicion] = []
        var missing = 0
        func suspect(_ problem: String, _ item: StoreInventory.Item) {
            own.append(
                Suspicion(
                    check: name, problem: problem, id: item.digest.text,
                    place: place(of: item.digest.text, kind), advice: "put it back from a backup"))
        }
        let listed = try store?.list() ?? []
        let there = Dictionary(listed.map { ($0.digest, $0.length) }, uniquingKeysWith: { $1 })
        var bytes: Int64 = 0
        for item in items {
            guard let length = there[item.digest] else {
                missing += 1
                suspect("a file that the database names is missing", item)
                continue
            }
            bytes += length
            let isLong = item.size.map { $0 == length } ?? true
            guard try isLong && (isQuick || isWhole(item.digest, in: store, read)) else {
                suspect("the bytes are not those that it is named by", item)
                continue
            }
        }
        if missing > 1, missing == items.count {
            report.add(
                .broken, name, "none of the \(missing) files that the database names is there",
                at: paths.bucket ?? paths.directory.path,
                "name the bucket that has them with --content, or put them back from a backup")
        } else {
            suspicions += own
        }
        let known = Set(items.map(\.digest))
        let strangers = listed.filter { !known.contains($0.digest) }
        if !strangers.isEmpty {
            report.add(
                .note, name,
                "\(strangers.count) files (\(strangers.reduce(0) { $0 + $1.length }) bytes) are named "
                    + "by nothing", at: strangers[0].digest.text,
                "nothing: the store takes them away when they are old enough")
        }
        report.passed(
            name, "\(items.count) files, \(bytes) bytes" + (isQuick ? ", not read" : ""))
    }

    private enum Kind: String {
        case content, media
    }

    /// Where a file lies, or what it is called in the bucket.
    private func place(of digest: String, _ kind: Kind) -> String {
        guard paths.objects == nil else { return digest }
        let path = kind == .content ? BackupPath.content(digest) : BackupPath.media(digest)
        return paths.directory
            .appendingPathComponent(String(path.dropFirst(BackupPath.store.count))).path
    }

    private func isWhole(
        _ digest: ContentDigest, in store: (any ContentStore)?, _ read: (Int64) -> Void
    ) throws -> Bool {
        guard let content = try store?.open(digest) else { return false }
        let source = BackupSource(
            descriptor: content.descriptor, size: Int64(content.length), name: digest.text)
        let sum = SHA256Digest()
        try source.each {
            sum.update($0)
            read(Int64($0.count))
        }
        return SHA256Digest.hexadecimal(sum.finish()) == digest.text
    }

    private func checkUploads(
        _ uploads: [StoreInventory.Upload], _ suspicions: inout [Suspicion],
        _ report: inout DiagnosticsReport, _ read: (Int64) -> Void
    ) throws {
        func suspect(_ problem: String, _ upload: StoreInventory.Upload) {
            suspicions.append(
                Suspicion(
                    check: "uploads", problem: problem, id: upload.id.text,
                    place: upload.id.text,
                    advice: "let the publisher upload it again"))
        }
        let store = try paths.uploads()
        let there = Set(try store?.list() ?? [])
        for upload in uploads where !upload.parts.isEmpty {
            guard let store, there.contains(upload.id) else {
                suspect("a package on its way in has no file", upload)
                continue
            }
            guard !isQuick else { continue }
            let parts: PartsReader
            do { parts = try PartsReader(upload, store) } catch is PartsReader.Changed {
                continue
            }
            for part in upload.parts.keys.sorted() {
                do {
                    read(Int64(try parts.bytes(of: part).count))
                } catch is PartsReader.Changed {
                    suspect("part \(part) of a package is not what arrived", upload)
                }
            }
        }
        report.passed("uploads", "\(uploads.count) packages")
    }
}
