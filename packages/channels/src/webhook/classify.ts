import { parseRetryAfter } from '@postrider/domain';
import type { Answer, BrokenExchange } from '../http/sender.ts';
import { failure, type SendResult } from '../sender.ts';

/** What a status means: docs/specification.md, "Webhooks". `retryAfter` is the header of that name. */
export function classifyHttpResponse(
  { statusCode, bodyExcerpt, retryAfter }: Answer,
  nowMs: number,
): SendResult {
  const response = { statusCode, bodyExcerpt };
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered', response };
  if (statusCode >= 300 && statusCode < 400) {
    return failure('webhook_redirect_refused', `Redirects are not followed (HTTP ${statusCode}).`, {
      response,
    });
  }
  if (statusCode === 410) {
    return failure('webhook_endpoint_gone', 'The endpoint is gone (HTTP 410).', {
      retryable: false,
      endpointGone: true,
      response,
    });
  }
  const mayAskForDelay = statusCode === 429 || statusCode === 503;
  return failure('webhook_http_error', `The endpoint answered HTTP ${statusCode}.`, {
    retryAfterMs: mayAskForDelay ? parseRetryAfter(retryAfter, nowMs) : null,
    response,
  });
}

const TIMEOUT_CODES = ['ETIMEDOUT', 'ABORT_ERR', 'ERR_ABORTED', 'UND_ERR_CONNECT_TIMEOUT'];
const isTimeout = (code: string): boolean => TIMEOUT_CODES.includes(code);

/**
 * What a broken exchange means. Once the connection stood the endpoint may have acted on the request, so the
 * outcome is unknown; before that it has certainly failed. A final status other than 2xx that came before the
 * break is the answer.
 */
export function classifyBrokenExchange(
  { code, connected, inTlsHandshake, answer }: BrokenExchange,
  nowMs: number,
): SendResult {
  const isSuccess = answer !== null && answer.statusCode >= 200 && answer.statusCode < 300;
  // A whole request within the time limit is what counts as success, so a 2xx whose body drips on is none.
  if (answer && !(isSuccess && isTimeout(code))) return classifyHttpResponse(answer, nowMs);
  const seen = answer && { statusCode: answer.statusCode, bodyExcerpt: answer.bodyExcerpt };
  const outcome = connected ? 'unknown' : 'failed';
  switch (true) {
    case code === 'POSTRIDER_ADDRESS_BLOCKED':
      return failure('webhook_address_blocked', 'The host name leads to an address that is not allowed.', {
        retryable: false,
      });
    case code === 'POSTRIDER_DNS_FAILED':
      return failure('webhook_dns_failed', 'The host name could not be resolved.');
    case isTimeout(code):
      return failure('webhook_timeout', 'The request was not answered in full within the time limit.', {
        outcome,
        response: seen,
      });
    case inTlsHandshake:
      return failure('webhook_tls_failed', `The TLS handshake failed (${code}).`);
    case connected:
      return failure('webhook_connection_failed', `The connection broke before the answer came (${code}).`, {
        outcome,
      });
    default:
      return failure('webhook_connection_failed', `No connection could be made (${code}).`);
  }
}
