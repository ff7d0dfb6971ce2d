/// Where in a package the content lies.
///
/// Either the archive holds `ContentInfo.plist` and `Contents/` itself, or it is what
/// `productbuild --content` makes: `Distribution`, and a component `NAME.pkg/` with
/// `PackageInfo`, `Bom` and the content in `Payload`. A component by itself is taken too.
struct PackageLayout {
    /// What to do with an entry of the archive.
    enum Destination {
        case content
        /// What an installer would need, and a store does not.
        case ignored
        case payload
        case refused(PackageProblem.Rule, String)
    }

    private enum Kind {
        case flat
        case installer
    }

    private var kind: Kind?
    /// The component's folder with a slash, empty for a component by itself.
    private var component: String?
    private var hasPayload = false
    /// The folder that all of the payload lies in, with a slash; nil before the first entry.
    private var top: String?

    private static let installerNames: Set<String> = [
        "Distribution", "Resources", "PackageInfo", "Bom", "Payload", "LargePayload", "Scripts",
        "PlugIns",
    ]

    /// What the package lacks of its layout; nil where nothing is missing.
    var missing: String? {
        guard kind == .installer, !hasPayload else { return nil }
        return "it is an installer package without a component's Payload; make it of a folder "
            + "with productbuild --content or openstore content build"
    }

    /// Decides by the archive's first entry which layout it is.
    mutating func place(_ header: ArchiveHeader) -> Destination {
        let names = header.path.split(scalar: "/", omittingEmptySubsequences: true)
        guard let first = names.first.map(String.init) else { return .content }
        let isComponent = first.lowercased().hasSuffix(scalars: ".pkg")
        if kind == nil {
            kind = Self.installerNames.contains(first) || isComponent ? .installer : .flat
        }
        guard kind == .installer else { return .content }
        if isComponent {
            guard begin(component: first + "/") else { return Self.second }
            guard names.count > 1 else { return .ignored }
            return placeInComponent(String(names[1]), isTop: names.count == 2, header)
        }
        switch first {
        case "Distribution" where names.count == 1, "Resources": return .ignored
        case "PlugIns":
            return .refused(.executables, "installer plug-ins are executable code; leave them out")
        default:
            guard Self.installerNames.contains(first) else {
                return .refused(
                    .layout, "an installer package holds a Distribution and a component, not this")
            }
            if first == "Scripts" { return Self.scripts }
            guard begin(component: "") else { return Self.second }
            return placeInComponent(first, isTop: names.count == 1, header)
        }
    }

    private static let second = Destination.refused(
        .layout, "it belongs to a second component; a package for the store has exactly one")
    private static let scripts = Destination.refused(
        .executables, "installer scripts are executable code; leave them out")

    /// Whether this is the only component so far.
    private mutating func begin(component name: String) -> Bool {
        if component == nil { component = name }
        return component == name
    }

    private mutating func placeInComponent(
        _ name: String, isTop: Bool, _ header: ArchiveHeader
    ) -> Destination {
        switch name {
        case "Scripts": return Self.scripts
        case "PackageInfo" where isTop, "Bom" where isTop: return .ignored
        case "Payload" where isTop:
            guard case .file = header.kind else {
                return .refused(.layout, "the component's payload must be a file")
            }
            guard !hasPayload else {
                return .refused(.layout, "a component has one payload, not two")
            }
            hasPayload = true
            return .payload
        default:
            return .refused(
                .layout, "a component holds PackageInfo, Bom and Payload, not this")
        }
    }

    /// An entry of the payload with the path that it has inside the content; nil for the
    /// folders that everything lies in.
    mutating func insidePayload(_ header: ArchiveHeader) -> ArchiveHeader? {
        var path = header.path
        if path == "." || path == "./" { return nil }
        if path.hasPrefix(scalars: "./") { path.unicodeScalars.removeFirst(2) }
        // Some tools put the folder itself in, not only what is in it.
        if top == nil {
            let isFolder = if case .directory = header.kind { true } else { false }
            let isContent = path == ContentInfo.fileName || path == "Contents"
            top =
                isFolder && !isContent && !path.contains(scalar: "/") && path != ".."
                ? path + "/" : ""
            if top != "" { return nil }
        }
        guard let top, !top.isEmpty, path.hasPrefix(scalars: top) else {
            return header.renamed(path)
        }
        return header.renamed(String(path.unicodeScalars.dropFirst(top.unicodeScalars.count)))
    }
}
