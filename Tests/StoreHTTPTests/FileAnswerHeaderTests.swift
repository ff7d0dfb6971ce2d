import Foundation
import StoreHTTP
import StoreTestSupport
import Testing

/// Files as answers: their names, and what of them is sent.
@Suite struct FileAnswerHeaderTests {
    private func answer(
        _ headers: HTTPHeaders = [:], name: String? = nil
    ) throws -> HTTPResponse {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", "0123456789")
        return FileAnswer(
            descriptor: open(file.path, O_RDONLY | O_CLOEXEC), length: 10,
            mediaType: "application/pdf", entityTag: "\"tag\"", cacheControl: "private, no-store",
            attachmentName: name
        ).response(to: HTTPRequest(method: "GET", path: "/", headers: headers))
    }

    @Test(arguments: [
        ("plain.pdf", "attachment; filename=\"plain.pdf\"; filename*=UTF-8''plain.pdf"),
        (
            "雨 1.pdf",
            "attachment; filename=\"_ 1.pdf\"; filename*=UTF-8''%E9%9B%A8%201.pdf"
        ),
        (
            "a\"; b%41\\\r\nX.pdf",
            "attachment; filename=\"a_; b_41___X.pdf\"; filename*=UTF-8''"
                + "a%22%3B%20b%2541%5C%0D%0AX.pdf"
        ),
    ])
    func `a name is in both spellings, and ends no header`(name: String, header: String) throws {
        #expect(try answer(name: name).headers["Content-Disposition"] == header)
    }

    @Test func `what is shown has no name, and what is refused has none`() throws {
        #expect(try answer().headers["Content-Disposition"] == nil)
        let refused = try answer(["Range": "bytes=10-"], name: "a.pdf")
        #expect(refused.status == 416)
        #expect(refused.headers["Content-Disposition"] == nil)
        #expect(refused.headers["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test(arguments: [
        ("\"tag\"", true), ("W/\"tag\"", true), ("*", true), ("\"a\" , \"tag\"", true),
        ("\"tagg\"", false), ("tag", false), ("", false),
    ])
    func `who has the file gets no bytes`(header: String, isKnown: Bool) throws {
        let response = try answer(["If-None-Match": header])
        #expect(response.status == (isKnown ? 304 : 200))
        #expect(response.headers["ETag"] == "\"tag\"")
    }
}
