import Foundation

/// Bytes that samples of content are made of.
package enum SampleBytes {
    /// The text of a `ContentInfo.plist`.
    package static func information(_ product: String, version: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>ContentVersion</key><string>\(version)</string>
        <key>IAPProductIdentifier</key><string>\(product)</string>
        </dict></plist>
        """
    }

    /// Bytes that don't compress, the same for the same seed (SplitMix64).
    package static func noise(_ count: Int, seed: UInt64) -> Data {
        var state = seed
        var data = Data(capacity: count + 8)
        while data.count < count {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            withUnsafeBytes(of: z ^ (z >> 31)) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}
