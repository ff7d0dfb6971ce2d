import Foundation
import StoreCore
import StoreModel

/// The part of a page on which a file is uploaded: what is on its way, what was refused, and the
/// form.
struct UploadPanel {
    /// Of the page; the addresses of `PackageRequests` are below it.
    let path: String
    /// What the file is called.
    let name: String
    /// Endings of names, as browsers take them.
    let accept: String
    let hint: String
    /// The command that does the same.
    let command: String

    /// - Parameters:
    ///   - uploads: the newest first.
    ///   - closed: why no file can be sent now; `nil` if one can.
    func html(
        _ uploads: [UploadService.Status], closed: String?, _ form: PortalForm, _ call: PortalCall
    ) -> HTML {
        let open = uploads.filter { $0.upload.state == .awaitingUpload }
        let running = uploads.first { $0.upload.state == .uploadComplete }
        let failed = uploads.first.flatMap { $0.upload.state == .failed ? $0 : nil }
        var content: [HTML] = []
        if let running { content.append(processing(running)) }
        if let failed { content.append(problems(failed)) }
        content += open.map { unfinished($0, call) }
        if running == nil {
            content.append(
                closed.map { .element("p", $0) }
                    ?? chooser(hasUnfinished: !open.isEmpty, form, call))
        }
        return PortalPanel("Upload", content).html
    }

    private func chooser(
        hasUnfinished: Bool, _ form: PortalForm, _ call: PortalCall
    ) -> HTML {
        let limit = Int64(call.services.packages?.largestWhole ?? 0)
        let label = hasUnfinished ? "The same \(name.lowercased()), or another one" : name
        return .group([
            form.packaging(
                "\(path)/package", upload: "\(path)/uploads",
                [
                    form.file("package", label, accept: accept, hint: hint),
                    form.actions(hasUnfinished ? "Upload, or Go On" : "Upload"),
                ]),
            .element(
                "noscript", [],
                [
                    .element(
                        "p", class: "quiet",
                        "Without scripts a browser sends files of at most "
                            + "\(PortalFormatting.bytes(limit)). For larger ones use \(command), or "
                            + "allow scripts for this page.")
                ]),
        ])
    }

    /// What was sent of a file before the page was left.
    private func unfinished(_ status: UploadService.Status, _ call: PortalCall) -> HTML {
        let upload = status.upload
        let part =
            upload.parts.size > 0 ? Double(status.receivedBytes) / Double(upload.parts.size) : 0
        return .element(
            "div", [.init("class", "unfinished"), .init("data-upload-digest", upload.digest.text)],
            [
                .element(
                    "p", [],
                    [
                        .element("strong", [], [.foreign(upload.fileName)]),
                        .text(
                            ": \(PortalFormatting.bytes(status.receivedBytes)) of "
                                + "\(PortalFormatting.bytes(upload.parts.size)) have arrived. Choose the "
                                + "same file to go on."),
                    ]),
                PortalProgress("Upload of \(upload.fileName)", part).html,
                PortalForm(call).button(
                    "Give It Up", to: "\(path)/uploads/\(upload.id)/cancel",
                    question: "Give up the upload of \(upload.fileName)?"),
            ])
    }

    private func processing(_ status: UploadService.Status) -> HTML {
        let upload = status.upload
        let part =
            upload.parts.size > 0 ? Double(upload.processed) / Double(upload.parts.size) : 0
        return .element(
            "div",
            [.init("class", "processing"), .init("data-poll", "\(path)/uploads/\(upload.id)")],
            [
                .element(
                    "p", [],
                    [
                        .element("strong", [], [.foreign(upload.fileName)]),
                        .text(
                            " is checked and made ready. Some minutes may pass; reload the page."),
                    ]),
                PortalProgress("Processing of \(upload.fileName)", part).html,
            ])
    }

    private func problems(_ status: UploadService.Status) -> HTML {
        PortalNotice(
            .bad,
            [
                .element("p", class: "title", "\(status.upload.fileName) was refused"),
                .element(
                    "ul", [],
                    status.problems.map { problem in
                        .element(
                            "li", [],
                            [
                                problem.path.isEmpty
                                    ? .nothing
                                    : .element("code", [], [.foreign(problem.path)]),
                                .text(problem.path.isEmpty ? problem.advice : " \(problem.advice)"),
                            ])
                    }),
            ]
        ).html
    }
}

extension PortalForm {
    /// A form with a file: sent in parts by the portal's script, which can go on after the
    /// page was left; whole without scripts.
    fileprivate func packaging(_ action: String, upload: String, _ content: [HTML]) -> HTML {
        .element(
            "form",
            [
                .init("method", "post"), .init("class", "form"), .init("action", action),
                .init("enctype", "multipart/form-data"), .init("data-package", upload),
            ], [.formToken(token)] + content)
    }
}
