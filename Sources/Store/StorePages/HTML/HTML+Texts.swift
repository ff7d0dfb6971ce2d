import StoreHTTP
import StoreTexts

extension HTML: TextPart {
    package init(text: String) { self = .text(text) }
    package init(parts: [HTML]) { self = .group(parts) }
}

extension HTTPRequest {
    /// What the customer of this browser reads.
    var texts: Texts { Texts(.of(acceptLanguage: headers["Accept-Language"])) }
}
