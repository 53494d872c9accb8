import base64, hashlib, hmac, os, time

TOLERANCE_SECONDS = 300


def is_genuine(body: bytes, headers, secret: str = "") -> bool:
    """Whether a request comes from us. `body` is its unchanged bytes."""
    secret = secret or os.environ["WEBHOOK_SECRET"]
    message_id = headers.get("webhook-id") or ""
    timestamp = headers.get("webhook-timestamp") or ""
    if not message_id or not timestamp.isdecimal():
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = (headers.get("webhook-signature") or "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected) for each in given)
