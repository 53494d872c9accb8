<?php
const TOLERANCE_SECONDS = 300;

/** Whether a request comes from us. $body is file_get_contents('php://input'); $headers are by lower-case names. */
function isGenuine(string $body, array $headers): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || preg_match('/^\d+$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}
