import Foundation
import StoreCore
import StoreModel

/// Units and refunds as bars, one pair for each day; the same as a table below.
struct SalesDayChart {
    private let lines: [SalesReport.Line]
    /// What the height of the chart stands for, units.
    private let top: Int64

    init(_ report: SalesReport) {
        lines = report.everyDay
        top = Self.round(
            up: lines.map { max($0.totals.units, $0.totals.refunds) }.max() ?? 0)
    }

    /// The next number that is good to read: 1, 2 or 5 with zeros behind it, 5 at least.
    static func round(up number: Int64) -> Int64 {
        var power: Int64 = 1
        while power <= number / 10 { power *= 10 }
        for factor: Int64 in [1, 2, 5] where factor * power >= max(number, 5) {
            return factor * power
        }
        return 10 * power
    }

    var html: HTML {
        guard let first = lines.first?.key.day, let last = lines.last?.key.day else {
            return .nothing
        }
        return .group([
            .element(
                "figure", class: "days",
                [
                    .element(
                        "p", [.init("class", "scale"), .init("aria-hidden", "true")],
                        [
                            .element("span", SalesFormatting.count(top)), .element("span", "0"),
                        ]),
                    picture,
                    .element(
                        "p", [.init("class", "ends"), .init("aria-hidden", "true")],
                        [
                            PortalFormatting.day(first.start),
                            first == last ? .nothing : PortalFormatting.day(last.start),
                        ]),
                    .element(
                        "figcaption", [],
                        [
                            .element("span", class: "key units", "Units"),
                            .element("span", class: "key refunds", "Refunds"),
                        ]),
                ]),
            table,
        ])
    }

    /// One unit wide for each day, 100 high; the style sheet stretches it.
    private var picture: HTML {
        .element(
            "svg",
            [
                .init("class", "chart"), .init("viewBox", "0 0 \(lines.count) 100"),
                .init("preserveAspectRatio", "none"), .init("role", "img"),
                .init("aria-label", summary),
            ],
            [25, 50, 75].map { height in
                .element(
                    "line",
                    [
                        .init("x1", "0"), .init("x2", String(lines.count)),
                        .init("y1", String(height)), .init("y2", String(height)),
                        .init("vector-effect", "non-scaling-stroke"),
                    ])
            }
                + lines.enumerated().flatMap { index, line in
                    [
                        bar("bar", line.totals.units, x: Double(index) + 0.1, width: 0.5, line),
                        bar(
                            "second", line.totals.refunds, x: Double(index) + 0.6, width: 0.3,
                            line),
                    ]
                })
    }

    private func bar(
        _ style: String, _ count: Int64, x: Double, width: Double, _ line: SalesReport.Line
    ) -> HTML {
        guard count > 0 else { return .nothing }
        let height = 100 * Double(count) / Double(top)
        return .element(
            "rect",
            [
                .init("class", style), .init("x", Self.text(x)),
                .init("y", Self.text(100 - height)), .init("width", Self.text(width)),
                .init("height", Self.text(height)),
            ],
            [
                .element(
                    "title",
                    "\(line.key.day?.text ?? ""): \(SalesFormatting.count(line.totals.units)) units, "
                        + "\(SalesFormatting.count(line.totals.refunds)) refunds")
            ])
    }

    /// Two places behind the point are less than a pixel.
    private static func text(_ number: Double) -> String {
        String((number * 100).rounded() / 100)
    }

    /// What the picture shows, in a sentence.
    private var summary: String {
        let units = lines.reduce(0) { $0 + $1.totals.units }
        let best = lines.max { $0.totals.units < $1.totals.units }
        let days = PortalFormatting.count(lines.count, "day", "days")
        guard units > 0, let best, let day = best.key.day else {
            return "No units in \(days)."
        }
        return "\(SalesFormatting.count(units)) units in \(days); the most, "
            + "\(SalesFormatting.count(best.totals.units)), on \(day.text)."
    }

    private var table: HTML {
        .element(
            "details", [],
            [
                .element("summary", "The same as a table"),
                PortalTable(
                    "Units by day",
                    columns: [
                        .init("Day"), .init("Units", isNumber: true),
                        .init("Refunds", isNumber: true), .init("Proceeds", isNumber: true),
                    ],
                    rows: lines.reversed().map { line in
                        [
                            line.key.day.map { PortalFormatting.day($0.start) } ?? .nothing,
                            .text(SalesFormatting.count(line.totals.units)),
                            .text(SalesFormatting.count(line.totals.refunds)),
                            .text(SalesFormatting.proceeds(line.totals)),
                        ]
                    }, none: ("No days", ""), staysTable: true
                ).html(),
            ])
    }
}

/// A bar in a row of a table. The number stands beside it, so nobody has to see it.
struct SalesBar {
    private let share: Double

    /// - Parameter most: what the whole width stands for.
    init(_ count: Int64, of most: Int64) {
        share = min(1, max(0, Double(count) / Double(max(1, most))))
    }

    var html: HTML {
        .element(
            "svg",
            [
                .init("class", "chart share"), .init("viewBox", "0 0 100 10"),
                .init("preserveAspectRatio", "none"), .init("aria-hidden", "true"),
            ],
            [
                .element(
                    "rect",
                    [
                        .init("class", "bar"), .init("x", "0"), .init("y", "0"),
                        .init("width", String((share * 1000).rounded() / 10)),
                        .init("height", "10"),
                    ])
            ])
    }
}
