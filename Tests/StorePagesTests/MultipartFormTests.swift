import Foundation
import StoreHTTP
import StorePages
import Testing

/// Forms with files, as browsers send them and as nobody should.
@Suite struct MultipartFormTests {
    private func form(
        _ body: String, type: String = "multipart/form-data; boundary=----x1"
    ) throws -> MultipartForm {
        try MultipartForm(
            HTTPRequest(
                method: "POST", path: "/", headers: ["Content-Type": type],
                body: Data(body.replacing("\n", with: "\r\n").utf8)))
    }

    private static let good = """
        ------x1
        Content-Disposition: form-data; name="form"

        token
        ------x1
        Content-Disposition: form-data; name="roles"

        A
        ------x1
        Content-Disposition: form-data; name="roles"

        B
        ------x1
        Content-Disposition: form-data; name="picture"; filename="C:\\dir\\\u{301}a%22b.png"
        Content-Type: image/png

        PNG
        --x
        ------x1
        Content-Disposition: form-data; name="other"; filename=""
        Content-Type: application/octet-stream


        ------x1--

        """

    @Test func `fields and files are told apart`() throws {
        let form = try form(Self.good)
        #expect(form.fields["form"] == "token")
        #expect(form.fields.all("roles") == ["A", "B"])
        let file = try #require(form.files["picture"])
        #expect(file.name == "\u{301}a\"b.png")
        #expect(file.type == "image/png")
        #expect(file.bytes == Data("PNG\r\n--x".utf8))
        #expect(form.files["other"] == nil)
        #expect(form.fields.all("picture").isEmpty)
    }

    @Test func `bytes that are no text stay as they are`() throws {
        let noise = Data((0...255).map { UInt8($0) })
        var body = Data(
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"n\"\r\n\r\n".utf8)
        body += noise + Data("\r\n--b--\r\n".utf8)
        let form = try MultipartForm(
            HTTPRequest(
                method: "POST", path: "/",
                headers: ["Content-Type": "multipart/form-data; boundary=\"b\""], body: body))
        #expect(form.files["f"]?.bytes == noise)
    }

    @Test(arguments: [
        "", "------x1", "------x1--x", "------x1\nContent-Disposition: form-data; name=\"a\"\n\nb",
        "------x1\n\nb\n------x1--", "------x1\nContent-Disposition: form-data\n\nb\n------x1--",
        "------x1\nContent-Disposition: attachment; name=\"a\"\n\nb\n------x1--",
        "before\n------x1--",
    ])
    func `what is broken is refused`(body: String) {
        // A form without parts is one as well; everything else here is none.
        if body == "------x1--x" {
            #expect(throws: Never.self) { try form(body) }
        } else {
            #expect(throws: FormFields.Problem.malformed) { try form(body) }
        }
    }

    @Test func `every beginning of a form is refused or a form, and none is a crash`() throws {
        let whole = Array(Self.good.replacing("\n", with: "\r\n").utf8)
        for count in 0..<whole.count - 4 {
            #expect(throws: FormFields.Problem.self) {
                try MultipartForm(
                    HTTPRequest(
                        method: "POST", path: "/",
                        headers: ["Content-Type": "multipart/form-data; boundary=----x1"],
                        body: Data(whole[..<count])))
            }
        }
    }

    @Test func `more parts than a page has are refused`() {
        let part = "------x1\nContent-Disposition: form-data; name=\"a\"\n\nb\n"
        let many = String(repeating: part, count: MultipartForm.partLimit + 1) + "------x1--"
        #expect(throws: FormFields.Problem.tooLarge) { try form(many) }
        let type = "multipart/form-data; boundary=" + String(repeating: "x", count: 71)
        #expect(throws: FormFields.Problem.malformed) { try form(Self.good, type: type) }
    }

    @Test func `a body on disk is read there, and large files stay there`() throws {
        let file = try AnonymousFile(in: FileManager.default.temporaryDirectory)
        // Repeats at no distance that a buffer has.
        let block: [UInt8] = (0..<3001).map { (number: Int) -> UInt8 in
            UInt8(truncatingIfNeeded: number &* 31 &+ (number >> 8))
        }
        var bytes = Data()
        for _ in 0..<1000 { bytes.append(contentsOf: block) }
        try file.append(
            Data("--m\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n".utf8))
        try file.append(
            Data(
                ("--m\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.bin\""
                    + "\r\n\r\n").utf8))
        try file.append(bytes)
        try file.append(Data("\r\n--m--\r\n".utf8))
        var request = HTTPRequest(
            method: "POST", path: "/", headers: ["Content-Type": "multipart/form-data; boundary=m"])
        request.bodyFile = file
        let form = try MultipartForm(request)
        #expect(form.fields["a"] == "x")
        #expect(form.files["f"]?.bytes == bytes)
        // Where the process opens it, it is the same file.
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).count == Int(file.count))
    }
}
