import Foundation

/// What a file is, by what its bytes begin with. Names and what senders say don't count.
package enum MediaFormat: String, Sendable, Hashable, CaseIterable {
    case png, jpeg, mp3, m4a, wav, ogg, mp4, webm, epub, pdf, zip

    /// Nil for what the store does not know.
    ///
    /// - Parameter beginning: the first bytes, 64 at least where there are so many.
    package init?(beginning: Data) {
        let bytes = [UInt8](beginning.prefix(128))
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.count >= offset + text.utf8.count
                && bytes[offset..<offset + text.utf8.count].elementsEqual(text.utf8)
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("ID3") || Self.isMPEGAudioFrame(bytes) {
            self = .mp3
        } else if has("RIFF"), has("WAVE", at: 8) {
            self = .wav
        } else if has("OggS") {
            self = .ogg
        } else if has("ftyp", at: 4), bytes.count >= 12 {
            guard let format = Self.format(brand: String(decoding: bytes[8..<12], as: UTF8.self))
            else { return nil }
            self = format
        } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            guard Self.isWebM(bytes) else { return nil }
            self = .webm
        } else if has("PK\u{3}\u{4}") {
            self = has("mimetypeapplication/epub+zip", at: 30) ? .epub : .zip
        } else if has("%PDF-") {
            self = .pdf
        } else {
            return nil
        }
    }

    /// The header of a frame, with values that stand for something (ISO 11172-3, 2.4.1.3).
    private static func isMPEGAudioFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return false }
        let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
        let (rate, frequency) = (bytes[2] >> 4, bytes[2] >> 2 & 3)
        return version != 1 && layer == 1 && rate != 0 && rate != 15 && frequency != 3
    }

    /// The major brand of a file in the ISO base media format (ISO 14496-12, 4.3).
    private static func format(brand: String) -> MediaFormat? {
        switch brand {
        case "M4A ", "M4B ", "M4P ": .m4a
        case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ",
            "M4VP", "dash", "MSNV":
            .mp4
        default: nil
        }
    }

    /// The document type in the header that all EBML files have (RFC 8794, 11.2.4).
    private static func isWebM(_ bytes: [UInt8]) -> Bool {
        let type: [UInt8] = [0x42, 0x82, 0x84] + Array("webm".utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: type) }
    }

    package var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .mp3: "audio/mpeg"
        case .m4a: "audio/mp4"
        case .wav: "audio/wav"
        case .ogg: "audio/ogg"
        case .mp4: "video/mp4"
        case .webm: "video/webm"
        case .epub: "application/epub+zip"
        case .pdf: "application/pdf"
        case .zip: "application/zip"
        }
    }

    /// How names of such files may end, without the dot; the first one is the usual one.
    package var nameExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .m4a: ["m4a", "m4b"]
        case .ogg: ["ogg", "oga", "opus"]
        case .mp4: ["mp4", "m4v"]
        default: [rawValue]
        }
    }

    /// What people call it.
    package var title: String {
        switch self {
        case .webm: "WebM"
        case .ogg: "Ogg"
        default: rawValue.uppercased()
        }
    }
}
