import Foundation
import StoreCore
import StoreMetadata

/// The small page on which programs read how often an item got how many stars: `rating-count`,
/// and below `vote` a `total` for five stars down to one.
struct RatingTable {
    let item: StorefrontItem

    func markup() throws -> Data {
        var data = Data()
        var writer = MarkupWriter { data.append($0) }
        try write(to: &writer)
        try writer.finish()
        // A page of HTML begins with its type, and not as XML does.
        guard let end = data.firstIndex(of: 0x0A) else { return data }
        return Data("<!DOCTYPE html>\n".utf8) + data[data.index(after: end)...]
    }

    private func write(to writer: inout MarkupWriter) throws {
        try writer.begin("html", [("lang", "en")])
        try writer.begin("head")
        try writer.text("title", item.text.title)
        try writer.end()
        try writer.begin("body")
        try writer.text("h1", item.text.title)
        try writer.text("p", "\(item.rating.total) Ratings", [("class", "rating-count")])
        for (index, count) in item.rating.counts.enumerated().reversed() {
            try writer.begin("div", [("class", "vote")])
            try writer.text("span", "\(index + 1)", [("class", "stars")])
            try writer.text("span", String(count), [("class", "total")])
            try writer.end()
        }
        try writer.end()
        try writer.end()
    }
}
