import type { JsonObject } from '@postrider/domain';
import { defineChannelKind, nullable, part, record, text } from '../../../src/index.ts';

type SmsConfig = { gateway: string; sender?: string };

/** What a text message says. */
export interface SmsContent {
  readonly text: string;
}

const DEFAULT_TIMEOUT_MS = 7_000;

/** Text messages over the HTTP gateway of an operator. */
export const smsKind = defineChannelKind<SmsConfig, SmsContent>({
  kind: 'sms',
  label: 'an SMS channel',
  description: 'A channel that sends text messages.',
  defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
  config: {
    schema: {
      type: 'object',
      required: ['gateway'],
      additionalProperties: false,
      properties: {
        gateway: { type: 'string', minLength: 1 },
        sender: { type: ['string', 'null'], maxLength: 11 },
        key: { type: ['string', 'null'], minLength: 1, writeOnly: true },
      },
    },
    rules: [
      {
        reads: ['/gateway'],
        issuesOf: ({ gateway }) =>
          URL.canParse(gateway)
            ? []
            : [{ path: '/gateway', code: 'invalid_format', message: 'must be a URL' }],
      },
    ],
    toStored: ({ gateway, sender }) => ({
      gateway: String(gateway),
      ...(sender ? { sender: String(sender) } : {}),
    }),
    presentedSchema: record('The gateway of the operator.', {
      gateway: text('Its URL.'),
      sender: nullable(text('Who it comes from.')),
    }),
    present: ({ gateway, sender = null as string | null }) => ({ gateway, sender }),
    presentForAudit: ({ gateway, sender = null as string | null }) => ({ gateway, sender }),
  },
  secret: null,
  credentials: {
    change(before, { given: { key } }) {
      const changes: Record<string, string> = typeof key === 'string' ? { key } : {};
      const isKept = key === undefined && before?.credentials.has('key');
      const missing = { path: '/key', code: 'required', message: 'is required' } as const;
      return { changes, issues: isKept || typeof key === 'string' ? [] : [missing] };
    },
  },
  recipientFields: ['phone'],
  requiresTemplate: true,
  template: {
    schema: { required: ['text'], properties: { text: { type: 'string' } } },
    rules: [],
    toSource: (body) => ({ format: 'json', body: { text: body.text ?? '' } }),
    async render(renderer, { template, context }, options) {
      if (!template) return { ok: false, reason: 'template', message: 'The run has no template.' };
      const rendered = await renderer.renderJson(template.body, context, options);
      return rendered.ok
        ? { ok: true, content: { text: String((rendered.value as JsonObject).text) } }
        : rendered;
    },
    previewSchema: record('A text message.', { text: text('What it says.') }),
    async preview(renderer, { body }, context, options) {
      const previewed = await renderer.previewJson(body, context, options);
      if (!previewed.ok) return previewed;
      const { rendered = null, missing, issues } = previewed.answer;
      return { ok: true, answer: { rendered, missing, issues, warnings: [] } };
    },
    examples: { sms: { summary: 'A text message', value: { text: 'Order {{ payload.order_id }}' } } },
    command: {
      description: 'add a version of a text message',
      options: [{ flags: '--text <template>', description: 'what it says', isRequired: true }],
      examples: [['postrider templates create-sms --text Hello', 'A greeting.']],
      fieldsOf: async ({ text }) => ({ text }),
    },
  },
  errorCodes: ['sms_rejected', 'sms_gateway_failed', 'sms_unauthorized'],
  secretErrorCode: 'sms_unauthorized',
  example: {
    summary: 'An SMS gateway',
    value: { name: 'texts', config: { gateway: 'https://sms.example.com', key: 'k' } },
  },
  command: {
    description: 'create an SMS channel',
    options: [
      { flags: '--gateway <url>', description: 'the gateway' },
      { flags: '--sender <name>', description: 'who it comes from' },
      { flags: '--key-from <source>', description: 'where the key is read', choices: ['env', 'stdin'] },
    ],
    examples: [['SMS_KEY=… postrider channels create-sms --gateway https://sms.example.com', 'A channel.']],
    async fieldsOf({ gateway, sender, keyFrom }, io) {
      const isRead = keyFrom === 'env' || keyFrom === 'stdin';
      return (
        part({ gateway, sender, key: isRead ? await io.readSecret(keyFrom, 'SMS_KEY') : undefined }) ?? {}
      );
    },
  },
  async loadSender() {
    const { createSmsSender } = await import('./sender.ts');
    return { createSender: createSmsSender };
  },
});
