import type { ChannelKind, JsonObject, JsonValue, TemplateContext } from '@postrider/domain';
import type { TemplateDefinition } from './channel.ts';
import { record } from './schema.ts';

/** A JSON document that is already serialised. */
export interface JsonContent {
  readonly body: string;
}

/** The default body, in the format of Standard Webhooks (`type`, `timestamp`, `data`). */
export function defaultJsonBody(context: TemplateContext): JsonObject {
  const {
    event_key: type,
    timestamp,
    message_id,
    delivery_run_id,
    recipient,
    payload,
    sequence = null,
  } = context;
  const order: JsonObject = sequence === null ? {} : { sequence };
  return { type, timestamp, data: { message_id, delivery_run_id, ...order, recipient, payload } };
}

const inBody = <At extends { path: string }>(at: At): At => ({ ...at, path: `/body${at.path}` });

/**
 * Optional JSON templates for a kind that sends JSON. Their strings are Liquid.
 * @param what name in messages, with its article: `a webhook`
 */
export function jsonTemplate(kind: ChannelKind, what: string): TemplateDefinition<JsonContent> {
  const summary = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return {
    schema: {
      required: ['body'],
      properties: {
        body: {
          type: 'object',
          additionalProperties: true,
          description:
            'The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` ' +
            'becomes the value at that path with its type, or `default` of the same object if it is ' +
            'missing.',
        },
      },
    },
    rules: [],
    toSource: ({ body }) => ({ format: 'json', body: body as JsonObject }),
    async render(renderer, { template, context }, options) {
      if (!template) return { ok: true, content: { body: JSON.stringify(defaultJsonBody(context)) } };
      const rendered = await renderer.renderJson(template.body, context, options);
      return rendered.ok ? { ok: true, content: { body: JSON.stringify(rendered.value) } } : rendered;
    },
    previewSchema: record(`${summary}.`, {
      body: { type: 'object', additionalProperties: true, description: 'The JSON that would be sent.' },
    }),
    async preview(renderer, { body }, context, options) {
      const previewed = await renderer.previewJson(body, context, options);
      if (!previewed.ok) return previewed;
      const { rendered, missing, issues } = previewed.answer;
      const shown: JsonValue = rendered === undefined ? null : { body: rendered };
      return {
        ok: true,
        answer: { rendered: shown, missing: missing.map(inBody), issues: issues.map(inBody), warnings: [] },
      };
    },
    examples: {
      [kind]: {
        summary,
        value: {
          body: {
            text: 'Order {{ payload.order_id }} has been shipped',
            tags: ['order', '{{ event_key }}'],
            items: { $value: 'payload.items', default: [] },
          },
          activate: true,
        },
      },
    },
    command: {
      description: `add a version of the body of ${what}: a JSON document whose strings are templates (Liquid)`,
      options: [
        { flags: '--body-file <path>', description: 'the JSON document; - is stdin', isRequired: true },
      ],
      examples: [
        [
          `echo '{"id":"{{ payload.order_id }}"}' | postrider templates create-${kind} ` +
            '--environment env_01… --event-key order.shipped --body-file -',
          'A custom body.',
        ],
      ],
      fieldsOf: async ({ bodyFile }, io) => ({ body: await io.readJson(String(bodyFile)) }),
    },
  };
}
