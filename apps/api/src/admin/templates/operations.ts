import type { ChannelRegistry } from '@postrider/channels';
import {
  channelsTaking,
  createTemplateVersion,
  listTemplates,
  readEventType,
  readResources,
  switchTemplate,
  type UnboundDatabase,
} from '@postrider/db';
import {
  isEventKey,
  parseUse,
  presentTemplate,
  presentTemplateSummary,
  reject,
  type TemplateRecord,
  type TemplateWarning,
} from '@postrider/domain';
import type { Renderer } from '@postrider/rendering';
import { holderOf } from '../../access/access.ts';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { described, oneOf, textThat } from '../../paging/query.ts';
import type { AdminResource, CallDeps } from '../operation.ts';
import { ACTIVE_FILTER, versionOperationsOf } from '../versions.ts';
import { checkedOf, preview, previewDraftWith, refuseUnresolved, TEMPLATE, TEXT_DERIVED } from './preview.ts';
import {
  createTemplateValidator,
  examplesOf,
  TEMPLATE_PATH,
  TEMPLATES_PATH,
  templateBodySchema,
  templateSchemas,
  toSource,
} from './schema.ts';

/** Warnings about missing content. The preview checks the rendered form. */
function contentWarnings({ html, text }: TemplateRecord): TemplateWarning[] {
  return html === null || text !== null ? [] : [TEXT_DERIVED];
}

/** Warnings about the HTML as written; none if no process was free to check it. */
async function sourceWarnings(
  { db, renderer }: { db: UnboundDatabase; renderer: Renderer },
  template: TemplateRecord,
): Promise<TemplateWarning[]> {
  const { html, environmentId } = template;
  if (html === null) return [];
  const inspected = await renderer.inspect(html, await holderOf(db, environmentId));
  return inspected.ok ? inspected.answer : [];
}

/** A warning if an email in a stream has no unsubscribe link in its template and parts. The preview sees what is shown. */
async function unsubscribeWarnings(
  { db, kinds }: { db: UnboundDatabase; kinds: ChannelRegistry },
  template: TemplateRecord,
): Promise<TemplateWarning[]> {
  const { environmentId, eventKey, channelKind, html, text } = template;
  if (kinds.get(channelKind).suppressibleField === undefined) return [];
  const eventType = await readEventType(db, { environmentId, eventKey });
  if (!eventType?.stream) return [];
  const resources = await readResources(db, environmentId, template, {});
  if ([html, text, JSON.stringify(resources)].some((each) => each?.includes('unsubscribe_url'))) return [];
  const message = `does not use {{ unsubscribe_url }}, and the event has the stream ${eventType.stream}`;
  return [{ code: 'unsubscribe_missing', path: html === null ? '/text' : '/html', message }];
}

/** Warnings about the effects of activating or deactivating a version. */
async function deliveryWarnings(
  { db, kinds }: { db: UnboundDatabase; kinds: ChannelRegistry },
  template: TemplateRecord,
): Promise<TemplateWarning[]> {
  const { environmentId, eventKey, channelKind, active } = template;
  const channels = await channelsTaking(db, { environmentId, eventKey, kind: channelKind });
  const isTaken = channels.length > 0;
  const path = '/event_key';
  if (active && !isTaken) {
    const message = `no enabled ${channelKind} channel takes ${eventKey}: nothing is sent with this version`;
    return [{ code: 'no_matching_channel', path, message }];
  }
  const { warningsOf } = kinds.get(channelKind);
  if (active) {
    return channels.flatMap(({ name, config }) =>
      (warningsOf?.(config) ?? []).map(({ code, message }) => ({
        code,
        path,
        message: `${name} ${message}`,
      })),
    );
  }
  if (!isTaken || !kinds.get(channelKind).requiresTemplate) return [];
  const filter = { eventKey, channelKind, active: true };
  const { rows } = await listTemplates(db, { environmentId, filter, after: null, limit: 1 });
  if (rows.length > 0) return [];
  const consequence = 'its events are refused until a version is active';
  const message = `an enabled ${channelKind} channel takes ${eventKey}: ${consequence}`;
  return [{ code: 'template_required', path, message }];
}

export const SUMMARY_EXAMPLE = {
  event_key: 'order.shipped',
  channel_kind: 'email',
  version: 3,
  active: true,
};

const HTML = '<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>';

const SUBJECT = 'Order {{ payload.order_id }} has been shipped';

const TEMPLATE_EXAMPLE = {
  ...SUMMARY_EXAMPLE,
  subject: SUBJECT,
  html: HTML,
  default_locale: 'en',
  parts: [{ id: EXAMPLE_IDS.layout, type: 'layout', name: 'main', version: 2 }],
};

async function switchVersion(
  { id, active }: { readonly id: string; readonly active: boolean },
  deps: CallDeps,
): Promise<object> {
  const stored = await switchTemplate(deps, id, active);
  const { template } = stored;
  const warnings = [
    ...stored.warnings,
    ...(active ? await sourceWarnings(deps, template) : []),
    ...(active ? await unsubscribeWarnings(deps, template) : []),
    ...(await deliveryWarnings(deps, template)),
  ];
  return { ...presentTemplate(template), warnings };
}

const NONE_ACTIVE: TemplateWarning = {
  code: 'template_required',
  path: '/event_key',
  message: 'an enabled email channel takes order.shipped: its events are refused until a version is active',
};

const VERSIONS = versionOperationsOf({
  name: 'Template',
  noun: 'template',
  all: TEMPLATES_PATH,
  one: TEMPLATE_PATH,
  of: TEMPLATE,
  present: presentTemplate,
  presentListed: presentTemplateSummary,
  example: TEMPLATE_EXAMPLE,
  listedExample: SUMMARY_EXAMPLE,
  changedExamples: {
    create: { warnings: [TEXT_DERIVED] },
    activate: { warnings: [] },
    deactivate: { warnings: [NONE_ACTIVE] },
  },
  change: switchVersion,
  about: {
    activate:
      'Events accepted from now on (within 5 seconds) use this version instead of the active one. ' +
      'To roll back, activate an older version. Existing runs keep their version.',
    deactivate:
      'If this version was active, none is active afterwards. Webhooks then send the default body; events that an ' +
      'email channel takes are refused (422 `template_not_found`); a warning says so.',
  },
});

/** Creates an immutable version. A render process compiles and checks it, so that no template can block the API. */
const createWith = (kinds: ChannelRegistry) =>
  VERSIONS.create({
    description:
      'Templates are Liquid, without `include` and `raw`. They see `event_key`, `recipient`, `payload`, `message_id`, ' +
      '`delivery_run_id`, `timestamp`, `locale`, `dir` and `sequence`, and keep the layouts, partials and translations that are ' +
      'active when they are created. A missing variable ' +
      'makes the delivery fail, so write `{{ payload.note | default: "" }}` for an optional one. A ' +
      'version never changes: add a new version to change the text. Issues of a template have the code ' +
      '`invalid_template`, with `line` and `column` where they are known.',
    body: {
      schema: templateBodySchema(kinds),
      validate: createTemplateValidator(kinds),
      examples: examplesOf(kinds),
    },
    run: async (request, deps) => {
      const { body, found: environment } = request;
      const prepared = await deps.renderer.prepare(toSource(kinds, body), {
        owner: environment.tenantId,
        part: environment.id,
      });
      const checked = checkedOf(prepared);
      const stored = await createTemplateVersion(deps, {
        environmentId: environment.id,
        eventKey: body.event_key,
        channelKind: body.channel_kind,
        template: checked.template,
        references: checked.references,
        activate: body.activate === true,
      });
      if ('problem' in stored) reject(refuseUnresolved(stored.problem, checked.references));
      const { template } = stored;
      const warnings = [
        ...contentWarnings(template),
        ...stored.warnings,
        ...(await sourceWarnings(deps, template)),
        ...(await unsubscribeWarnings(deps, template)),
        ...(template.active ? await deliveryWarnings(deps, template) : []),
      ];
      return { ...presentTemplate(template), warnings };
    },
  });

/** What the lists of versions can be filtered by. */
const filtersOf = (kinds: ChannelRegistry) => ({
  event_key: described(
    'Only versions for this event key.',
    textThat(isEventKey, 'must be an event key'),
    EVENT_BODY_SCHEMA.properties.event_key,
  ),
  channel_kind: described('Only versions for this channel kind.', oneOf(kinds.kinds)),
  active: ACTIVE_FILTER,
  part: described(
    'Only versions that use this layout, partial or translation, in any of its versions, directly or through ' +
      'another part, such as `layout:main`.',
    {
      parse: parseUse,
      code: 'invalid_format',
      message: 'must be layout:, partial: or translation: and a name, such as layout:main',
    },
    { type: 'string', maxLength: 80, example: 'layout:main' },
  ),
});

export const templatesResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: { name: 'Templates', description: 'Management: content of deliveries, in immutable versions.' },
  schemas: templateSchemas(kinds),
  operations: [
    createWith(kinds),
    VERSIONS.list(filtersOf(kinds), listTemplates),
    previewDraftWith(kinds),
    VERSIONS.get,
    VERSIONS.activate,
    VERSIONS.deactivate,
    preview,
  ],
});
