import Foundation

/// A line of a table: a figure, and the baseline's where there is one.
struct Figure {
    let name: String
    let value: Double
    let baseline: Double?
    let unit: String
    let aim: String

    init(_ name: String, _ value: Double, _ baseline: Double?, _ unit: String, aim: String = "") {
        self.name = name
        self.value = value
        self.baseline = baseline
        self.unit = unit
        self.aim = aim
    }

    /// Medians of rounds.
    init(
        _ name: String, _ values: [Double], _ baselines: [Double]?, _ unit: String, aim: String = ""
    ) {
        self.init(
            name, Series.median(values), baselines.map(Series.median), unit, aim: aim)
    }

    static func table(_ figures: [Figure]) -> String {
        var text = "| what | measured | baseline | unit | ratio | aim |\n"
        text += "|---|---:|---:|---|---:|---|\n"
        func number(_ value: Double) -> String {
            value < 10
                ? String(format: "%.2f", value)
                : value < 1000 ? String(format: "%.1f", value) : Int(value.rounded()).formatted()
        }
        for figure in figures {
            let baseline = figure.baseline.map(number) ?? ""
            var ratio = ""
            if let baseline = figure.baseline, baseline > 0 {
                let value = figure.value / baseline
                ratio = String(format: value < 0.1 ? "%.3f" : "%.2f", value)
            }
            text += "| \(figure.name) | \(number(figure.value)) | \(baseline) | \(figure.unit) "
            text += "| \(ratio) | \(figure.aim) |\n"
        }
        return text
    }
}
