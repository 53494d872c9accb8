import type { ProviderClient } from '../../../src/email/provider.ts';
import type { HttpClient } from '../../../src/http/exchange.ts';
import { defineEmailProvider, defineSettings, delivered, failure } from '../../../src/index.ts';

type Settings = { endpoint: string };

function createHttpMailClient(http: HttpClient): ProviderClient {
  return {
    async send({ settings, mail, credentials, timeoutMs, signal }) {
      const exchange = await http.send({
        url: new URL(String(settings.endpoint)),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${credentials.token}` },
        body: JSON.stringify(mail),
        timeoutMs,
        signal,
      });
      if (exchange.broken) {
        return failure('smtp_connection_failed', 'The mail service did not answer.');
      }
      const { response } = exchange;
      const { statusCode } = response;
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
  ...defineSettings<Settings>(
    {
      endpoint: {
        isRequired: true,
        schema: { type: 'string', minLength: 1 },
        shown: 'Its URL.',
        option: { flags: '--mail-endpoint <url>', description: 'the mail service' },
      },
      token: {
        schema: { type: ['string', 'null'], minLength: 1, writeOnly: true },
        option: {
          flags: '--mail-token-from <source>',
          description: 'where its token is read',
          variable: 'MAIL_TOKEN',
        },
      },
    },
    { shownDescription: 'The mail service.' },
  ),
  credentials: [{ field: 'token', label: 'token', required: true, sentBy: ['endpoint'] }],
  async loadClient() {
    const { createHttpClient } = await import('../../../src/network.ts');
    return { createClient: (options) => createHttpMailClient(createHttpClient(options)) };
  },
});
