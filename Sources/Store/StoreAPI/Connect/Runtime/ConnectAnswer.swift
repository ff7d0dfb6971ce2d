import StoreCore
import StoreHTTP

/// What an operation answers; the engine makes the document.
enum ConnectAnswer: Sendable {
    case resource(Resource)
    /// 201.
    case created(Resource)
    case list(ListPage<Resource>)
    /// What a to-one relationship leads to.
    case related(Resource?)
    /// The identifiers in a to-many relationship.
    case linkage(ListPage<Resource>)
    /// The identifier in a to-one relationship.
    case optionalLinkage(Resource?)
    /// 204.
    case nothing
    /// Something that is no document of JSON:API.
    case response(HTTPResponse)
}
