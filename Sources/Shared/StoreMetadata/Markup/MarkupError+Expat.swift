import CStoreXML

extension MarkupError {
    /// What expat says is wrong, and what would be right.
    ///
    /// - Parameter open: the innermost element that is open.
    init(_ code: XML_Error, line: Int, open: String?) {
        self.init(line: line, Self.problem(code, open: open))
    }

    private static func problem(_ code: XML_Error, open: String?) -> String {
        switch code {
        case XML_ERROR_NO_ELEMENTS:
            open.map { "the file ends inside <\($0)>, which must be closed" }
                ?? "the file holds no XML"
        case XML_ERROR_INVALID_TOKEN, XML_ERROR_SYNTAX:
            "this is no XML: write &lt; and &amp; for the signs < and &, quotation marks around "
                + "the values of attributes, and no control characters; save the file in UTF-8"
        case XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR:
            "the file ends inside a tag, a comment or a character"
        case XML_ERROR_TAG_MISMATCH:
            "an end tag stands where </\(open ?? "")> must close <\(open ?? "")>"
        case XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute stands in this tag twice"
        case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
            "something stands behind the outermost element; there is one"
        case XML_ERROR_UNDEFINED_ENTITY:
            "an entity is unknown; there are lt, gt, amp, quot, apos and numbers such as #38"
        case XML_ERROR_BAD_CHAR_REF: "a number between &# and ; is that of no character"
        case XML_ERROR_MISPLACED_XML_PI: "<?xml stands at the very beginning of a file only"
        case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING:
            "the file is not in the encoding that it names, or that is not read; save it in UTF-8"
        case XML_ERROR_UNCLOSED_CDATA_SECTION: "the file ends inside a section of text"
        case XML_ERROR_XML_DECL:
            "the declaration must be <?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        default:
            XML_ErrorString(code).map { String(cString: $0) } ?? "this is no XML"
        }
    }
}
