import { NO_LISTENER, type RelayToListener } from '@postrider/domain';
import { NO_DIRECTIVES, readDirectives } from '../http/client.ts';
import type { Exchange, HttpRequest } from '../http/exchange.ts';
import { keptHeaders, toExcerpt } from '../sender.ts';

/**
 * Hands a request to the listener of the channel, and waits for what the receiver on the other side answers. Never rejects, and
 * ends within the time limit of the request.
 * @param relay undefined in a process without a relay, where nobody listens
 */
export async function sendToListener(
  relay: RelayToListener | undefined,
  channelId: string,
  { headers, body, timeoutMs, signal, reportExchange }: HttpRequest,
): Promise<Exchange> {
  const answer = relay
    ? await relay({ channelId, headers, body, timeoutMs, signal })
    : { error: NO_LISTENER, connected: false };
  if ('error' in answer) {
    const { error: code, connected } = answer;
    const reason = code === NO_LISTENER ? 'No command line is listening to this channel.' : null;
    return {
      ...NO_DIRECTIVES,
      response: null,
      broken: { code, reason, connected, inTlsHandshake: false },
    };
  }
  reportExchange?.({ responseHeaders: keptHeaders(answer.headers) });
  const response = { statusCode: answer.status, bodyExcerpt: toExcerpt([Buffer.from(answer.body)]) };
  return { ...readDirectives(answer.headers), response, broken: null };
}
