/// Estimates the time that a transfer still takes, from a smoothed rate.
struct TransferRate {
    private var rate: Double?
    private var lastTime: TimeInterval?
    private var lastBytes: Int64 = 0

    /// Takes in how far the transfer is.
    ///
    /// - Parameters:
    ///   - time: seconds of a clock that only goes forward.
    /// - Returns: the remaining seconds; nil while the rate is not known.
    mutating func advance(to bytes: Int64, of total: Int64, at time: TimeInterval) -> TimeInterval?
    {
        guard let last = lastTime else {
            lastTime = time
            lastBytes = bytes
            return nil
        }
        let elapsed = time - last
        guard elapsed > 0 else { return remaining(bytes, total) }
        let current = Double(bytes - lastBytes) / elapsed
        // A second of transfer outweighs what was known before by about two to one.
        let weight = 1 - exp(-elapsed)
        rate = rate.map { $0 + (current - $0) * weight } ?? current
        lastTime = time
        lastBytes = bytes
        return remaining(bytes, total)
    }

    private func remaining(_ bytes: Int64, _ total: Int64) -> TimeInterval? {
        guard let rate, rate > 0 else { return nil }
        return Double(max(0, total - bytes)) / rate
    }
}
