import Foundation
import StoreSecurity

extension StoreDiagnostics {
    /// Seconds before the end of a certificate from which on it is told of. A running store renews
    /// its own long before.
    private static let notice: TimeInterval = 30 * 86_400

    /// Files that are there since the first start.
    private static let keyFiles =
        [StoreKeys.FileName.root, StoreKeys.FileName.sealSecret]
        + [KeyRole.intermediate, .signing].map(\.fileName)

    func checkKeys(_ report: inout DiagnosticsReport) {
        let folder = paths.keys
        checkPermissions(of: folder.url, &report)
        if !folder.has(StoreKeys.FileName.rootKey) {
            report.add(
                .note, "keys", "the key of the root is not there",
                at: folder.file(StoreKeys.FileName.rootKey).path,
                "nothing, if it is kept elsewhere; it is needed to renew the intermediate")
        }
        let missing = Self.keyFiles.filter { !folder.has($0) }
        for name in missing {
            report.add(
                .broken, "keys", "the file is missing", at: folder.file(name).path,
                "restore it from a backup")
        }
        guard missing.isEmpty else { return }
        let receipts = folder.file(KeyRole.receipts.fileName)
        let issued = IssuedCertificates(folder: folder).all()
        if !folder.has(KeyRole.receipts.fileName),
            issued.contains(where: { KeyRole($0) == .receipts })
        {
            report.add(
                .note, "keys", "the key for receipts is not there any more", at: receipts.path,
                "nothing: the store makes another one, and receipts that were signed stay valid")
        }
        do {
            let keys = try StoreKeys.open(in: folder.url, at: now)
            let current = try keys.certificates().filter(\.isCurrent)
            for certificate in current { check(certificate, &report) }
            report.passed("keys", "\(current.count) certificates")
        } catch {
            report.add(
                .broken, "keys", "\(error)", at: folder.url.path, "restore it from a backup")
        }
    }

    private func check(_ certificate: StoreCertificate, _ report: inout DiagnosticsReport) {
        let place = "\(certificate.name), \(certificate.serial.text)"
        let isRoot = certificate.isRoot
        if certificate.revoked != nil {
            report.add(
                .broken, "keys", "the store signs with a key that was revoked", at: place,
                "openstore certificate rotate")
        } else if certificate.end <= now {
            report.add(
                .broken, "keys", "the certificate ended \(certificate.end.formatted(.iso8601))",
                at: place,
                isRoot
                    ? "make a new store: nothing renews a root"
                    : "openstore certificate rotate; a running store renews it by itself")
        } else if certificate.end.timeIntervalSince(now) < Self.notice {
            report.add(
                .warning, "keys", "the certificate ends \(certificate.end.formatted(.iso8601))",
                at: place,
                isRoot
                    ? "nothing renews a root: apps need profiles of a new store"
                    : "let the store run, which renews it, or openstore certificate rotate")
        } else if certificate.start > now {
            report.add(
                .broken, "keys",
                "the certificate begins \(certificate.start.formatted(.iso8601))", at: place,
                isRoot
                    ? "set the clock of the machine"
                    : "set the clock of the machine; openstore certificate rotate if it is right")
        }
    }

    /// Nobody else may read what is in the folder of keys, nor see it.
    private func checkPermissions(of folder: URL, _ report: inout DiagnosticsReport) {
        // Processes of one shop may share them by a link.
        let folder = folder.resolvingSymlinksInPath()
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        for path in [folder.path] + names.sorted().map({ "\(folder.path)/\($0)" }) {
            guard let mode = Self.mode(of: path), mode & 0o077 != 0 else { continue }
            var status = stat()
            let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            report.add(
                .broken, "permissions",
                isFolder ? "others may look into the folder of keys" : "others may read it",
                at: path, "chmod \(isFolder ? "700" : "600") \(path)")
        }
    }
}
