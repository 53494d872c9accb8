import type { JsonObject, JsonValue, TemplateContext } from '@postrider/domain';
import type { TemplateDefinition } from '../channel.ts';
import { defaultJsonBody, type JsonContent, jsonTemplate } from '../json-template.ts';
import type { Delivery } from '../sender.ts';

/** What the headers of a body depend on. */
type RunOfBody = Pick<Delivery<unknown>, 'ids' | 'message' | 'sequence'>;

/** A form of the request. */
interface BodyProfile {
  readonly contentType: string;
  /** The document, around the channel's own template where one is given. Null: there must be a template. */
  readonly json: ((context: TemplateContext, source: string, own: JsonValue | undefined) => JsonValue) | null;
  /** Headers of the event. Names are in lower case. */
  readonly headers?: (run: RunOfBody, source: string) => Record<string, string>;
}

const JSON_TYPE = 'application/json';
export const DEFAULT_CLOUDEVENTS_SOURCE = 'postrider';

/** The longest payload in a chat message, in characters: below what each service takes. */
const MAX_SLACK = 3_000;
const MAX_DISCORD = 1_800;
const MAX_TEAMS = 15_000;
const MAX_PAGERDUTY_SUMMARY = 1_024;

/** Cuts a text to `max` UTF-16 units, between characters. */
const cut = (text: string, max: number) =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
const payloadOf = ({ payload }: TemplateContext, max: number) => cut(JSON.stringify(payload, null, 2), max);
/** Slack's control characters. Without this a payload could mention everybody in a channel. */
const escapeSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** A payload must not end the block that it is in. */
const unfenced = (text: string) => text.replaceAll('```', "'''");

function thin(context: TemplateContext): JsonObject {
  const { type, timestamp, data } = defaultJsonBody(context);
  const { recipient: _recipient, payload: _payload, ...ids } = data as JsonObject;
  return { type: type ?? null, timestamp: timestamp ?? null, data: ids };
}

/** The attributes of CloudEvents 1.0.2. The id is that of the run, as `webhook-id`: a replay is an event of its own. */
const attributes = (
  event: { type: string; id: string; time: string; message: string; sequence: number | null },
  source: string,
): Record<string, string> => ({
  specversion: '1.0',
  id: event.id,
  source,
  type: event.type,
  time: event.time,
  datacontenttype: JSON_TYPE,
  messageid: event.message,
  ...(event.sequence === null ? {} : { sequence: String(event.sequence) }),
});

/** The table of bodies. */
const BODY_PROFILES = {
  standard: { contentType: JSON_TYPE, json: defaultJsonBody },
  thin: { contentType: JSON_TYPE, json: thin },
  'cloudevents-structured': {
    contentType: 'application/cloudevents+json; charset=utf-8',
    json: (context, source, own) => {
      const { event_key: type, delivery_run_id: id, timestamp: time, message_id: message } = context;
      const { sequence = null } = context;
      return { ...attributes({ type, id, time, message, sequence }, source), data: own ?? context.payload };
    },
  },
  'cloudevents-binary': {
    contentType: JSON_TYPE,
    json: ({ payload }, _source, own) => own ?? payload,
    headers: ({ ids, message, sequence = null }, source) => {
      const time = message.createdAt.toISOString();
      const event = { type: message.eventKey, id: ids.run, time, message: ids.message, sequence };
      const { datacontenttype: _type, ...named } = attributes(event, source);
      return Object.fromEntries(Object.entries(named).map(([name, value]) => [`ce-${name}`, value]));
    },
  },
  template: { contentType: JSON_TYPE, json: null },
  slack: {
    contentType: JSON_TYPE,
    json: (context, _source, own) =>
      own ?? {
        text: `*${context.event_key}*\n\`\`\`${unfenced(escapeSlack(payloadOf(context, MAX_SLACK)))}\`\`\``,
      },
  },
  teams: {
    contentType: JSON_TYPE,
    json: (context, _source, own) => {
      const block = { type: 'TextBlock', wrap: true };
      const content = {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          { ...block, weight: 'Bolder', text: context.event_key },
          { ...block, fontType: 'Monospace', text: payloadOf(context, MAX_TEAMS) },
        ],
      };
      const contentType = 'application/vnd.microsoft.card.adaptive';
      return own ?? { type: 'message', attachments: [{ contentType, content }] };
    },
  },
  discord: {
    contentType: JSON_TYPE,
    json: (context, _source, own) =>
      own ?? {
        content: `**${context.event_key}**\n\`\`\`json\n${unfenced(payloadOf(context, MAX_DISCORD))}\n\`\`\``,
        allowed_mentions: { parse: [] },
      },
  },
  pagerduty: {
    contentType: JSON_TYPE,
    json: ({ event_key, message_id, timestamp, payload }, source, own) =>
      own ?? {
        event_action: 'trigger',
        dedup_key: message_id,
        payload: {
          summary: cut(`${event_key} ${JSON.stringify(payload)}`, MAX_PAGERDUTY_SUMMARY),
          source,
          severity: 'error',
          timestamp,
          custom_details: payload,
        },
      },
  },
} as const satisfies Record<string, BodyProfile>;

export type WebhookBody = keyof typeof BODY_PROFILES;
export const WEBHOOK_BODIES = Object.keys(BODY_PROFILES) as WebhookBody[];
/** Bodies that a template of the channel cannot change. `standard` takes the templates of the events. */
export const WITHOUT_TEMPLATE: readonly WebhookBody[] = ['standard', 'thin'];

/** The fields of a stored config that describe the body. */
export type BodyConfig = {
  /** The form of the body; `standard` if left out. */
  body?: WebhookBody;
  /** The channel's own template. */
  template?: JsonObject;
  cloudevents_source?: string;
};

const profileOf = ({ body = 'standard' }: BodyConfig): BodyProfile => BODY_PROFILES[body];

/** The headers of the body: its type, and those of the event. */
export function bodyHeaders(config: BodyConfig, run: RunOfBody): Record<string, string> {
  const { headers } = profileOf(config);
  return headers?.(run, config.cloudevents_source ?? DEFAULT_CLOUDEVENTS_SOURCE) ?? {};
}

export const contentTypeOf = (config: BodyConfig): string => profileOf(config).contentType;

const base = jsonTemplate('webhook', 'a webhook');

/** The templates of webhooks. `standard` uses that of the event, `template` that of the channel or else of the event. */
export const webhookTemplate: TemplateDefinition<JsonContent> = {
  ...base,
  async render(renderer, run, options) {
    const config = run.channel.config as BodyConfig;
    const { body = 'standard', template, cloudevents_source: source = DEFAULT_CLOUDEVENTS_SOURCE } = config;
    if (body === 'standard') return base.render(renderer, run, options);
    const { json } = profileOf(config);
    const own = template ?? (json === null ? run.template?.body : undefined);
    let document: JsonValue | undefined;
    if (own !== undefined) {
      const rendered = await renderer.renderJson(own, run.context, options);
      if (!rendered.ok) return rendered;
      document = rendered.value;
    }
    if (json === null && document === undefined) {
      const message = 'The channel sends a template, but neither it nor the event has one.';
      return { ok: false, reason: 'template', message };
    }
    const value = json === null ? (document ?? null) : json(run.context, source, document);
    return { ok: true, content: { body: JSON.stringify(value) } };
  },
};
