import type { FeedbackRequest } from '../../../../src/email/feedback.ts';
import { EMAIL_PROVIDERS } from '../../../../src/email/providers/index.ts';

export const NOW = Date.parse('2026-11-22T12:00:00Z');
export const SECONDS = Math.floor(NOW / 1_000);

/** What a provider's reader makes of a request. */
export async function read(provider: string, request: Partial<FeedbackRequest> & { body: Buffer }) {
  const found = EMAIL_PROVIDERS.find(({ name }) => name === provider);
  if (!found?.feedback) throw new Error(`${provider} has no feedback`);
  return found.feedback({
    headers: {},
    query: {},
    settings: {},
    credentials: {},
    nowMs: NOW,
    runIdOfToken: async () => null,
    fetchDocument: async (url) => {
      throw new Error(`nothing fetches ${url}`);
    },
    ...request,
  });
}

export const REFUSED = { ok: false, status: 401 };
export const MALFORMED = { ok: false, status: 400 };
/** An object that String() cannot convert: it throws. */
export const ODD = { toString: 0, valueOf: 0 };
export const DEEP = JSON.parse(`${'['.repeat(33)}${']'.repeat(33)}`);
export const json = (value: unknown) => Buffer.from(JSON.stringify(value));
