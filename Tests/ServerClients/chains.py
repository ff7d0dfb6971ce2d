"""Chains of certificates as the store's, whole and broken in one place each."""

import base64
import datetime
import json
import time

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID, ObjectIdentifier

LEAF_MARKER = "1.2.840.113635.100.6.11.1"
INTERMEDIATE_MARKER = "1.2.840.113635.100.6.2.1"
NULL = b"\x05\x00"


def certificate(name, key, issuer=None, issuer_key=None, ca=None, leave_out=(), critical_marker=False,
                marker=None, path_length=None, usage=None, marker_value=NULL,
                constraints_critical=True, start=None, end=None):
    """A certificate with the extensions of its role, without those named in `leave_out`."""
    now = datetime.datetime.now(datetime.timezone.utc)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder().subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start or now - datetime.timedelta(days=1))
        .not_valid_after(end or now + datetime.timedelta(days=365)))
    if "BC" not in leave_out:
        builder = builder.add_extension(
            x509.BasicConstraints(ca=ca, path_length=path_length), constraints_critical)
    if "KU" not in leave_out:
        names = ["digital_signature", "content_commitment", "key_encipherment",
                 "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign",
                 "encipher_only", "decipher_only"]
        builder = builder.add_extension(
            x509.KeyUsage(**{n: n in usage for n in names}), critical=True)
    if "SKI" not in leave_out:
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    if "AKI" not in leave_out and issuer is not None:
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False)
    if marker and "OID" not in leave_out:
        builder = builder.add_extension(
            x509.UnrecognizedExtension(ObjectIdentifier(marker), marker_value), critical_marker)
    return builder.sign(issuer_key or key, hashes.SHA256())


def chain(root=(), intermediate=(), leaf=(), intermediate_options=None, leaf_options=None,
          leaf_curve=ec.SECP256R1, root_options=None):
    """Root, intermediate and leaf with the leaf's key, without the extensions that are named."""
    keys = [ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1()),
            ec.generate_private_key(leaf_curve())]
    signing = ("key_cert_sign", "crl_sign")
    top = certificate("Root", keys[0], ca=True, usage=signing, leave_out=root,
                      **(root_options or {}))
    middle = certificate(
        "Intermediate", keys[1], top, keys[0], **{
            "ca": True, "path_length": 0, "usage": signing, "marker": INTERMEDIATE_MARKER,
            "leave_out": intermediate, **(intermediate_options or {})})
    bottom = certificate(
        "Leaf", keys[2], middle, keys[1], **{
            "ca": False, "usage": ("digital_signature",), "marker": LEAF_MARKER,
            "leave_out": leaf, **(leaf_options or {})})
    return top, middle, bottom, keys[2]


def der(one):
    return one.public_bytes(serialization.Encoding.DER)


def signed(key, certificates, payload=None, algorithm="ES256", **header):
    """A JWS with `certificates` in its header."""
    claims = {
        "bundleId": "com.example.shop", "environment": "Sandbox", "transactionId": "1",
        "signedDate": int(time.time() * 1000)}
    claims.update(payload or {})
    return jwt.encode(
        {k: v for k, v in claims.items() if v is not None}, key, algorithm,
        {"x5c": [base64.b64encode(der(one)).decode() for one in certificates], **header})


def unsigned(certificates):
    """The same with `alg: none`."""
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
    header = {"alg": "none", "x5c": [base64.b64encode(der(one)).decode() for one in certificates]}
    return part(header) + "." + part({
        "bundleId": "com.example.shop", "environment": "Sandbox",
        "signedDate": int(time.time() * 1000)}) + "."
