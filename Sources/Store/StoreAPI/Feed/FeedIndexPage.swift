import Foundation
import StoreCore
import StoreModel

/// A folder of the feed as Apache's web server shows one: importers look for exactly this
/// header of the table, and for the links of the names.
struct FeedIndexPage {
    /// The folder's path with a slash at the end, of names that the feed has.
    let path: String
    let parent: String?
    let entries: [FeedListing]
    /// The query as Apache has it, such as `N;O=D`; anything else is by name.
    let order: String?

    var html: String {
        let rows = sorted.map { entry in
            let size = entry.size.map(Self.size) ?? "  - "
            return """
                <tr><td><a href="\(entry.name)">\(entry.name)</a></td>\
                <td align="right">\(Self.minute(entry.modified))  </td>\
                <td align="right">\(size)</td></tr>

                """
        }
        let up = parent.map { "<tr><td><a href=\"\($0)\">Parent Directory</a></td></tr>\n" }
        return """
            <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
            <html>
             <head>
              <title>Index of \(path)</title>
             </head>
             <body>
            <h1>Index of \(path)</h1>
            <table>
            <tr><th><a href="?C=N;O=D">Name</a></th>\
            <th><a href="?C=M;O=A">Last modified</a></th>\
            <th><a href="?C=S;O=A">Size</a></th></tr>
            \(up ?? "")\(rows.joined())</table>
            </body></html>

            """
    }

    private var sorted: [FeedListing] {
        let parts = (order ?? "").split(scalar: ";")
        let ascending: [FeedListing] =
            switch parts.first {
            case "M": entries.sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }
            case "S": entries.sorted { ($0.size ?? 0, $0.name) < ($1.size ?? 0, $1.name) }
            default: entries.sorted { $0.name < $1.name }
            }
        return parts.contains("O=D") ? ascending.reversed() : ascending
    }

    private static func minute(_ date: Date) -> String {
        guard let day = CalendarDay(of: date) else { return "" }
        let minutes = Int(clamping: date.timeIntervalSince(day.beginning) / 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(day) \(two(minutes / 60)):\(two(minutes % 60))"
    }

    /// As Apache writes them: `155`, `1.2K`, `34M`.
    private static func size(_ bytes: UInt64) -> String {
        guard bytes >= 1000 else { return String(bytes) }
        var value = Double(bytes) / 1024
        for unit in ["K", "M", "G"] {
            if value < 9.95 { return String(format: "%.1f%@", value, unit) }
            if value < 999.5 { return String(format: "%.0f%@", value, unit) }
            value /= 1024
        }
        return String(format: "%.1fT", value)
    }
}
