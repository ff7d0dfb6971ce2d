import Foundation
import StoreFoundationAdditions
import Testing

@Suite struct DictionaryValues {
    /// As apps build the body of a request to their server.
    @Test func `a value is set, replaced and taken out by its key`() throws {
        let body = NSMutableDictionary()
        body.setValue("receipt", forKey: "receipt-data")
        body.setValue(1, forKey: "count")
        body.setValue(2, forKey: "count")
        body.setValue("secret", forKey: "password")
        body.setValue(nil, forKey: "password")
        body.setValue(nil, forKey: "never set")
        #expect(body.count == 2 && body["count"] as? Int == 2)
        #expect(body["receipt-data"] as? String == "receipt" && body["password"] == nil)
        let data = try JSONSerialization.data(withJSONObject: body)
        let read = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(read.count == 2 && read["count"] as? Int == 2)
    }
}
