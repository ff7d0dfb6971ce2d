import Foundation
import StoreCore
import StoreHTTP
import StorePages
import Testing

/// The pieces that pages of the portal are made of.
@Suite struct PortalComponentTests {
    private func typed(_ body: String) throws -> FormFields {
        try FormFields(
            HTTPRequest(
                method: "POST", path: "/",
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data(body.utf8)), mayRepeat: true)
    }

    /// Databases keep none: PostgreSQL would fail, and the page with it.
    @Test func `a value with U+0000 is no form's`() throws {
        #expect(throws: FormFields.Problem.malformed) { try typed("email=a%00b%40x") }
        let parts = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\0b\r\n--x--"
        #expect(throws: FormFields.Problem.malformed) {
            try MultipartForm(
                HTTPRequest(
                    method: "POST", path: "/",
                    headers: ["Content-Type": "multipart/form-data; boundary=x"],
                    body: Data(parts.utf8)))
        }
    }

    @Test func `a field has its label, its hint, and what was wrong beside it`() throws {
        let form = PortalForm(
            token: "<token>", typed: try typed("name=%3Cb%3E"),
            refusals: [
                ConnectRefusal(
                    .invalid, rule: "nameMalformed", field: "name", "The name has a bracket.",
                    help: "Leave it out.")
            ])
        let markup = form.html(
            "/connect/x", [form.text("name", "Name", "old", hint: "As on the sign.")]
        ).markup()
        #expect(
            markup
                == """
                <form method="post" class="form" action="/connect/x" data-unsaved>\
                <div class="notice bad summary" role="alert" tabindex="-1" autofocus \
                aria-labelledby="summary"><h2 id="summary">There is a problem</h2><ul><li>\
                <a href="#field-name">The name has a bracket. Leave it out.</a></li></ul></div>\
                <input type="hidden" name="form" value="&lt;token&gt;">\
                <div class="field wrong"><label for="field-name">Name\
                <span class="optional"> (optional)</span></label>\
                <p class="hint" id="field-name-hint">As on the sign.</p>\
                <p class="wrong" id="field-name-problem">The name has a bracket. Leave it out.</p>\
                <input type="text" class="line" value="&lt;b&gt;" id="field-name" name="name" \
                aria-describedby="field-name-hint field-name-problem" aria-invalid="true"></div>\
                </form>
                """)
    }

    @Test func `what was typed survives, but for passwords`() throws {
        let refusal = ConnectRefusal(.invalid, rule: "x", "Wrong.", help: "Mend it.")
        let form = PortalForm(
            token: "t", typed: try typed("kind=b&roles=2&text=typed&secret=hunter22"),
            refusals: [refusal])
        let options = [PortalOption("a", "A"), PortalOption("b", "B")]
        let menu = form.select("kind", "Kind", options, chosen: "a").markup()
        #expect(menu.contains("value=\"b\" selected") && !menu.contains("value=\"a\" selected"))
        let boxes = form.checkboxes(
            "roles", "Roles", [PortalOption("1", "One"), PortalOption("2", "Two")], chosen: ["1"]
        ).markup()
        #expect(boxes.contains("value=\"2\" checked") && !boxes.contains("value=\"1\" checked"))
        #expect(!form.checkbox("on", "On", isOn: true).markup().contains("checked"))
        #expect(form.area("text", "Text", "stored").markup().contains("\ntyped</textarea>"))
        #expect(!form.text("secret", "Secret", as: .password).markup().contains("hunter22"))
        let fresh = PortalForm(token: "t")
        #expect(fresh.checkbox("on", "On", isOn: true).markup().contains("checked"))
        #expect(fresh.area("text", "Text", "stored").markup().contains("\nstored</textarea>"))
    }

    @Test func `a group of one choice and its choice have identifiers of their own`() {
        let form = PortalForm(token: "t")
        let one = [PortalOption("1", "One", hint: "The only one.")]
        for markup in [
            form.checkboxes("roles", "Roles", one, chosen: [], hint: "Any.").markup(),
            form.radios("roles", "Roles", one, chosen: nil, hint: "One.").markup(),
        ] {
            let ids = markup.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
            #expect(ids.count == 4 && Set(ids).count == ids.count, "\(ids)")
        }
        // What a summary links to, where there is no group.
        #expect(form.checkbox("on", "On", isOn: true).markup().contains("id=\"field-on\""))
    }

    @Test func `a table without rows says so`() {
        let columns = [PortalTable.Column("Name"), PortalTable.Column("Count", isNumber: true)]
        let none = PortalTable("Things", columns: columns, rows: [], none: ("Nothing", "Add one."))
        #expect(!none.html().markup().contains("<table"))
        #expect(none.html().markup().contains("Nothing"))
        let one = PortalTable(
            "Things", columns: columns, rows: [[.text("a"), .text("1")]], none: ("", ""))
        let markup = one.html().markup()
        #expect(markup.contains("<caption class=\"unseen\">Things</caption>"))
        #expect(
            markup.contains("<th data-label=\"Name\" scope=\"row\" role=\"rowheader\">a</th>"))
        #expect(markup.contains("<td data-label=\"Count\" class=\"number\" role=\"cell\">1</td>"))
    }

    @Test func `states are words, not only colours`() {
        for tone in [PortalTone.plain, .good, .busy, .warn, .bad] {
            let markup = PortalBadge("Ready", tone).html.markup()
            #expect(markup == "<span class=\"badge \(tone.rawValue)\">Ready</span>")
        }
        let list = PortalChecklist([
            .init("Price", isDone: true), .init("Screenshot", isDone: false, path: "/connect/s"),
        ]).html.markup()
        #expect(list.contains("<span class=\"unseen\">Done: </span>Price"))
        #expect(
            list.contains("<span class=\"unseen\">Missing: </span><a href=\"/connect/s\">"))
        let diff = PortalDiff([.init("Title", old: "Old", new: "New")]).html.markup()
        #expect(diff.contains("<del><span class=\"unseen\">Before: </span><bdi>Old</bdi></del>"))
        #expect(diff.contains("<ins><span class=\"unseen\">Now: </span><bdi>New</bdi></ins>"))
    }

    @Test(
        arguments: [
            ("/connect/apps", [], "/connect/apps"),
            (
                "/connect/apps", [("search", "Tom & Jerry"), ("page", "")],
                "/connect/apps?search=Tom%20%26%20Jerry"
            ),
            ("/connect/ü \"/x", [("ö", "ä=1#2")], "/connect/%C3%BC%20%22/x?%C3%B6=%C3%A4%3D1%232"),
        ] as [(String, [(name: String, value: String)], String)])
    func `links are encoded`(path: String, query: [(name: String, value: String)], text: String) {
        #expect(PortalLink(path, query).text == text)
    }

    @Test func `amounts, counts and days are written in one way`() {
        #expect(PortalFormatting.count(1, "product", "products") == "1 product")
        #expect(PortalFormatting.count(1200, "product", "products") == "1,200 products")
        let date = Date(timeIntervalSince1970: 1_777_816_800.5)
        #expect(
            PortalFormatting.time(date).markup()
                == "<time datetime=\"2026-05-03T14:00:00Z\">3 May 2026, 14:00 UTC</time>")
        #expect(
            PortalFormatting.day(date).markup() == "<time datetime=\"2026-05-03\">3 May 2026</time>"
        )
    }
}
