import { hideCredentials } from '../hide-credentials.ts';
import type { ExchangeFacts } from '../sender.ts';
import type { Answer, Exchange } from './sender.ts';

/** Removes credentials from the headers and bodies of responses, whatever their status. */
interface HiddenAnswers {
  exchange(exchange: Exchange): Exchange;
  facts(facts: ExchangeFacts): ExchangeFacts;
}

/**
 * Hides these credentials in exchanges, because responses are stored with the attempt, which tenants can read.
 * @param secrets credentials that the request contains or was signed with
 */
export function hidingAnswers(secrets: readonly string[]): HiddenAnswers {
  const hide = (text: string) =>
    text === '' ? text : secrets.reduce((shown, secret) => hideCredentials('', secret)(shown), text);
  const answer = (received: Answer): Answer => ({
    ...received,
    bodyExcerpt: received.bodyExcerpt === null ? null : hide(received.bodyExcerpt),
  });
  return {
    exchange(exchange) {
      if (exchange.outcome === 'answered') return { outcome: 'answered', answer: answer(exchange.answer) };
      const { broken } = exchange;
      return { outcome: 'broken', broken: { ...broken, answer: broken.answer && answer(broken.answer) } };
    },
    facts({ responseHeaders, ...facts }) {
      if (!responseHeaders) return facts;
      return {
        ...facts,
        responseHeaders: responseHeaders.map(([name, value]) => [name, hide(value)] as const),
      };
    },
  };
}
