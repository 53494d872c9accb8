import type { JsonObject } from '@postrider/domain';
import type { FeedbackDefinition } from '../channel.ts';
import { credentialsOf } from './credentials.ts';
import type { EmailProvider } from './provider.ts';
import { sendersOf } from './senders.ts';

/** Name of the feedback source for mail servers that pipe reports. */
const DSN_SOURCE = 'dsn';

/** Larger than any report whose returned mail was truncated, as mail servers do. */
const MAX_DSN_BYTES = 256 * 1024;
/** Providers put up to a thousand events into one request. */
const MAX_PROVIDER_BYTES = 1024 * 1024;

/** The feedback sources of email: every provider with feedback, and mail servers. */
export function emailFeedback(providers: readonly EmailProvider[]): FeedbackDefinition {
  const reporting = providers.filter(({ loadFeedback }) => loadFeedback);
  const sources = reporting.map((provider) => ({
    name: provider.name,
    maxBytes: provider.maxFeedbackBytes ?? MAX_PROVIDER_BYTES,
    isSigned: true,
    load: async () => {
      if (!provider.loadFeedback) throw new Error(`${provider.name} reports nothing`);
      return provider.loadFeedback();
    },
    verifiersOf: (config: JsonObject, credentials: Readonly<Record<string, string>>) =>
      sendersOf(providers, config)
        .filter((sender) => sender.provider === provider)
        .map((sender) => ({ settings: sender.settings, credentials: credentialsOf(sender, credentials) })),
  }));
  const dsn = {
    name: DSN_SOURCE,
    maxBytes: MAX_DSN_BYTES,
    isSigned: false,
    load: async () => (await import('./dsn/reader.ts')).dsnReader,
    verifiersOf: () => [{ settings: {}, credentials: {} }],
  };
  return { sources: [...sources, dsn] };
}
