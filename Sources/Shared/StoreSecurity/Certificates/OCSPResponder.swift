import CStoreCrypto
import Foundation

/// Whether a certificate is good, as its issuer says.
package enum CertificateStatus: Sendable, Hashable {
    case good
    case revoked(at: Date)
    /// The issuer has issued no such certificate.
    case unknown
}

/// Answers the question whether certificates were revoked: the Online Certificate Status
/// Protocol (RFC 6960), DER in and DER out.
///
/// Each authority signs for the certificates below it, with its own key: there is no
/// delegated responder. The responder is named by the hash of its key, which is the form that
/// Apple's verification library for Python reads.
package struct OCSPResponder: Sendable {
    /// Larger requests are refused unread, in bytes.
    package static let sizeLimit = 4096
    private static let questionLimit = 16

    /// An authority that answers for the certificates below it.
    package struct Authority: Sendable {
        let certificate: Certificate
        let key: SigningKey

        package init(certificate: Certificate, key: SigningKey) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// How long an answer is good.
    package static let lifetime: TimeInterval = 3600
    /// Clocks of those who ask differ a little from the store's.
    private static let tolerance: TimeInterval = 300

    private let authorities: [Authority]
    private let status: @Sendable (CertificateSerial, Certificate) throws -> CertificateStatus

    /// - Parameter status: tells about a certificate by its number and its issuer.
    package init(
        authorities: [Authority],
        status: @escaping @Sendable (CertificateSerial, Certificate) throws -> CertificateStatus
    ) {
        OpenSSLLibrary.ready
        self.authorities = authorities
        self.status = status
    }

    /// The answer to a request: signed, or one that says why there is none.
    ///
    /// - `malformedRequest` for junk and for more questions than anyone has,
    /// - `unauthorized` for certificates of other issuers,
    /// - `internalError` where the status can't be told or not be signed.
    package func answer(to request: Data, at date: Date) -> Data {
        guard let questions = OCSPQuestions(request, limit: Self.questionLimit) else {
            return Self.refusal(OCSP_RESPONSE_STATUS_MALFORMEDREQUEST)
        }
        // One signature covers all of an answer: the issuer of the first question gives it.
        let first = authorities.first { questions.isAbout($0.certificate, at: 0) }
        guard let first else { return Self.refusal(OCSP_RESPONSE_STATUS_UNAUTHORIZED) }
        do {
            return try answer(questions, by: first, at: date)
        } catch {
            ERR_clear_error()
            return Self.refusal(OCSP_RESPONSE_STATUS_INTERNALERROR)
        }
    }

    private func answer(
        _ questions: OCSPQuestions, by authority: Authority, at date: Date
    ) throws -> Data {
        guard let answer = OCSP_BASICRESP_new() else { throw Self.failure() }
        defer { OCSP_BASICRESP_free(answer) }
        let thisUpdate = try Self.time(date.addingTimeInterval(-Self.tolerance))
        let nextUpdate = try Self.time(date.addingTimeInterval(Self.lifetime))
        defer {
            ASN1_GENERALIZEDTIME_free(thisUpdate)
            ASN1_GENERALIZEDTIME_free(nextUpdate)
        }
        for index in 0..<questions.count {
            var found = CertificateStatus.unknown
            if questions.isAbout(authority.certificate, at: index),
                let serial = questions.serial(at: index)
            {
                found = try status(serial, authority.certificate)
            }
            var revoked: UnsafeMutablePointer<ASN1_TIME>?
            let code: Int32
            switch found {
            case .good: code = V_OCSP_CERTSTATUS_GOOD
            case .unknown: code = V_OCSP_CERTSTATUS_UNKNOWN
            case .revoked(let date):
                code = V_OCSP_CERTSTATUS_REVOKED
                revoked = try Self.time(date)
            }
            defer { if let revoked { ASN1_GENERALIZEDTIME_free(revoked) } }
            guard
                OCSP_basic_add1_status(
                    answer, questions.identifier(at: index), code,
                    OCSP_REVOKED_STATUS_NOSTATUS, revoked, thisUpdate, nextUpdate) != nil
            else { throw Self.failure() }
        }
        // 0 is a failure; 2 says that there was none to copy.
        guard OCSP_copy_nonce(answer, questions.pointer) != 0,
            OCSP_basic_sign(
                answer, authority.certificate.pointer, authority.key.pointer, EVP_sha256(), nil,
                UInt(OCSP_RESPID_KEY)) == 1
        else { throw Self.failure() }
        return try Self.response(OCSP_RESPONSE_STATUS_SUCCESSFUL, answer)
    }

    private static func refusal(_ status: Int32) -> Data {
        guard let data = try? response(status, nil) else {
            preconditionFailure("OpenSSL has no memory for five bytes")
        }
        return data
    }

    private static func response(_ status: Int32, _ answer: OpaquePointer?) throws -> Data {
        guard let response = OCSP_response_create(status, answer) else { throw failure() }
        defer { OCSP_RESPONSE_free(response) }
        var buffer: UnsafeMutablePointer<UInt8>? = nil
        let length = i2d_OCSP_RESPONSE(response, &buffer)
        guard length > 0, let buffer else { throw failure() }
        defer { CRYPTO_free(buffer, #file, #line) }
        return Data(bytes: buffer, count: Int(length))
    }

    private static func time(_ date: Date) throws -> UnsafeMutablePointer<ASN1_TIME> {
        guard let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)),
            let time = ASN1_GENERALIZEDTIME_set(nil, seconds)
        else { throw failure() }
        return time
    }

    private static func failure() -> SecurityError { .library("answering for certificates") }
}
