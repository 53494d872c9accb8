import type { EmailSender } from '../../../src/email/provider.ts';
import type { HttpClient } from '../../../src/http/exchange.ts';
import { defineEmailProvider, delivered, failure, part, record, text } from '../../../src/index.ts';

type Settings = { endpoint: string };

function createHttpMailSender(http: HttpClient): EmailSender {
  return {
    async send({ settings, message, credentials, timeoutMs, signal }) {
      const exchange = await http.post({
        url: new URL(String(settings.endpoint)),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${credentials.token}` },
        body: JSON.stringify(message),
        timeoutMs,
        signal,
      });
      if (exchange.outcome === 'broken') {
        return failure('smtp_connection_failed', 'The mail service did not answer.');
      }
      const { statusCode, bodyExcerpt } = exchange.answer;
      const response = { statusCode, bodyExcerpt };
      if (statusCode < 300) return delivered(response);
      return failure('smtp_temporary_rejection', `The mail service answered HTTP ${statusCode}.`, {
        response,
      });
    },
    close: http.close,
  };
}

/** Sends mail through a service that takes it over HTTP. */
export const httpMailProvider = defineEmailProvider<Settings>({
  name: 'http_mail',
  schema: {
    type: 'object',
    required: ['endpoint'],
    additionalProperties: false,
    properties: {
      endpoint: { type: 'string', minLength: 1 },
      token: { type: ['string', 'null'], minLength: 1, writeOnly: true },
    },
  },
  rules: [],
  toStored: ({ endpoint }) => ({ endpoint: String(endpoint) }),
  presentedSchema: record('The mail service.', { endpoint: text('Its URL.') }),
  present: ({ endpoint }) => ({ endpoint }),
  credentials: [{ field: 'token', label: 'token', required: true, sentBy: ['endpoint'] }],
  errorCodes: [],
  options: [
    { flags: '--mail-endpoint <url>', description: 'the mail service' },
    {
      flags: '--mail-token-from <source>',
      description: 'where its token is read',
      choices: ['env', 'stdin'],
    },
  ],
  async settingsOf({ mailEndpoint, mailTokenFrom: source }, io) {
    const isRead = source === 'env' || source === 'stdin';
    return part({
      endpoint: mailEndpoint,
      token: isRead ? await io.readSecret(source, 'MAIL_TOKEN') : undefined,
    });
  },
  async loadSender() {
    const { createHttpClient } = await import('../../../src/senders.ts');
    return { createSender: (options) => createHttpMailSender(createHttpClient(options)) };
  },
});
