import type { ChannelRegistry, TemplatePreview } from '@postrider/channels';
import {
  readEventType,
  readPartsOf,
  readResources,
  readTemplate,
  resolveChosenParts,
  type UnboundDatabase,
} from '@postrider/db';
import {
  type Detail,
  type EventTypeRecord,
  formatId,
  formatPartId,
  formatTime,
  invalid,
  invalidValue,
  type JsonObject,
  type PartProblem,
  type PinnedPart,
  parsePartId,
  presentPinnedPart,
  type Refusal,
  reject,
  retryLater,
  type StoredTemplate,
  type TemplateContext,
  type TemplateIssue,
  type TemplateRecord,
  type TemplateReference,
  type TemplateWarning,
  usesOf,
} from '@postrider/domain';
import type { RenderFailure } from '@postrider/rendering';
import { holderOf } from '../../access/access.ts';
import { MEMORY } from '../../http/memory.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { returns } from '../../openapi/operation.ts';
import { createPayloadCheck, type FindPayloadIssues } from '../../validation/payload-schemas.ts';
import { ENVIRONMENT } from '../environments.ts';
import { type AdminDeps, adminOperation, type Named } from '../operation.ts';
import {
  createDraftValidator,
  draftBodySchema,
  examplesOf,
  PREVIEW_BODY_SCHEMA,
  type PreviewBody,
  TEMPLATE_PATH,
  TEMPLATES_PATH,
  toDetail,
  toSource,
} from './schema.ts';

/** How paths identify a template version. */
export const TEMPLATE: Named<TemplateRecord> = { name: 'templateId', read: readTemplate };

export const TEXT_DERIVED = {
  code: 'text_derived',
  path: '/text',
  message: 'is derived from the HTML, because there is none',
} as const;

/** Seconds after which a busy render process is free again: the time limit of one piece of work. */
const BUSY_RETRY_AFTER_S = 5;

/** Whether the failure says nothing about the template. */
const isWorthRetrying = ({ reason }: RenderFailure): boolean => reason === 'busy' || reason === 'lost';

/**
 * The response if no process could do the work: 503 if none was free or it was killed from outside, 422 if the
 * template exceeded its time or memory.
 */
export function refuseUnprepared(failure: RenderFailure): Refusal {
  if (!isWorthRetrying(failure)) {
    return invalid([{ path: '', code: 'invalid_template', message: failure.message }]);
  }
  return retryLater(
    'service_unavailable',
    BUSY_RETRY_AFTER_S,
    'All render processes are busy: send the same request again.',
  );
}

/** What the check of a template or part found, unless it could not be done or found issues. */
export function checkedOf<Check extends { readonly outcome: 'sound' } | Unsound>(
  prepared: { readonly ok: true; readonly answer: Check } | RenderFailure,
): Exclude<Check, Unsound> {
  if (!prepared.ok) reject(refuseUnprepared(prepared));
  const { answer } = prepared;
  if (answer.outcome === 'invalid') reject(invalid(answer.issues.map(toDetail)));
  return answer as Exclude<Check, Unsound>;
}

interface Unsound {
  readonly outcome: 'invalid';
  readonly issues: readonly TemplateIssue[];
}

/** The refusal of a template that uses a missing part, with the position if the template itself uses it. */
export function refuseUnresolved(
  { use, within, message }: PartProblem,
  references: readonly TemplateReference[],
): Refusal {
  const reference = references.find(({ type, name }) => `${type}:${name}` === (within ?? use));
  const { path = '', line, column } = reference ?? {};
  const prefix = within === null ? '' : `in ${within.replace(':', ' ')}: `;
  const issue = { path, code: 'invalid_template', message: prefix + message } as const;
  return invalid([line === undefined || column === undefined ? issue : { ...issue, line, column }]);
}

/** The recipient of a preview that names none. */
const RECIPIENT = { email: 'ada@example.com', name: 'Ada Lovelace' };

/** A link without effect, because a preview has no recipient who could unsubscribe. */
export const UNSUBSCRIBE_URL = 'https://example.com/unsubscribe/preview';

/** The subject of a preview: a stored version, or a draft, which has no id. */
type Previewed = StoredTemplate &
  Pick<TemplateRecord, 'environmentId' | 'eventKey' | 'channelKind' | 'parts' | 'defaultLocale'> & {
    readonly id: TemplateRecord['id'] | null;
  };

async function contextOf(
  { db, newId }: Pick<AdminDeps, 'db' | 'newId'>,
  template: Previewed,
  body: PreviewBody,
): Promise<TemplateContext> {
  const { payload = {}, event_key = template.eventKey, locale } = body;
  const recipient = { ...(body.recipient ?? RECIPIENT), ...(locale === undefined ? {} : { locale }) };
  const resources = await readResources(db, template.environmentId, template, recipient);
  return {
    ...(resources ? { resources } : {}),
    event_key,
    recipient,
    payload,
    message_id: formatId('msg', newId()),
    delivery_run_id: formatId('run', newId()),
    timestamp: formatTime(new Date()),
    unsubscribe_url: UNSUBSCRIBE_URL,
    sequence: 1,
  };
}

/** Warnings about the payload, which an event would get as issues. */
function payloadWarnings(
  findPayloadIssues: FindPayloadIssues,
  eventType: EventTypeRecord | null,
  { payload }: PreviewBody,
): TemplateWarning[] {
  if (payload === undefined) return [];
  return findPayloadIssues(eventType?.payloadSchema ?? null, payload).map(({ path, message }) => ({
    code: 'payload_schema_mismatch',
    path,
    message,
  }));
}

/** Positions always have a part, a line and a column, null if unknown. */
const UNKNOWN_POSITION = { part: null, line: null, column: null };

/** What a preview's template uses, and where its source does so, if that is known. */
interface PartsUser extends Pick<TemplateRecord, 'environmentId' | 'uses' | 'parts'> {
  readonly references: readonly TemplateReference[];
}

/**
 * The parts of a preview, with the versions that the request names instead of others.
 * @param ids public ids
 */
async function resolveParts(
  db: UnboundDatabase,
  { environmentId, references, ...template }: PartsUser,
  ids: readonly string[],
): Promise<readonly PinnedPart[]> {
  const uuids = ids.flatMap((id) => parsePartId(id) ?? []);
  const chosen = await readPartsOf(db, environmentId, uuids);
  const names = new Map(chosen.map((part) => [formatPartId(part), `${part.type} ${part.name}`]));
  const issues = ids.flatMap((id, index): Detail[] => {
    const path = `/parts/${index}`;
    const name = names.get(id);
    if (name === undefined) {
      const message = 'is not a version of a layout, partial or translation of this environment';
      return [invalidValue(path, message)];
    }
    const first = ids.findIndex((other) => names.get(other) === name);
    return first === index ? [] : [{ path, code: 'duplicate', message: `is another version of the ${name}` }];
  });
  if (issues.length > 0) reject(invalid(issues));
  const resolved = await resolveChosenParts(db, environmentId, template, chosen);
  return resolved.ok ? resolved.parts : reject(refuseUnresolved(resolved.problem, references));
}

/** Renders a template as a delivery would, by the same kind of processes and with the same limits. */
export function createRenderPreview({ db, newId, renderer, kinds }: AdminDeps) {
  const findPayloadIssues = createPayloadCheck();

  return async (template: Previewed, body: PreviewBody) => {
    const options = await holderOf(db, template.environmentId);
    const context = await contextOf({ db, newId }, template, body);
    const { preview: render } = kinds.get(template.channelKind).template;
    const previewed = await render(renderer, template, context, options);
    if (!previewed.ok && isWorthRetrying(previewed)) reject(refuseUnprepared(previewed));
    const { environmentId, eventKey } = template;
    const eventType = await readEventType(db, { environmentId, eventKey: body.event_key ?? eventKey });
    const preview: TemplatePreview = previewed.ok
      ? previewed.answer
      : { rendered: null, missing: [], issues: [{ path: '', message: previewed.message }], warnings: [] };
    return {
      template_id: template.id && formatId('tpl', template.id),
      deliverable: preview.missing.length === 0 && preview.issues.length === 0,
      rendered: preview.rendered,
      missing_variables: preview.missing.map((each) => ({ ...UNKNOWN_POSITION, ...each })),
      errors: preview.issues.map((each) => ({ ...UNKNOWN_POSITION, ...each })),
      warnings: [
        // The preview has the link in any case, and an email without a stream needs none.
        ...preview.warnings.filter(({ code }) => eventType?.stream || code !== 'unsubscribe_missing'),
        ...payloadWarnings(findPayloadIssues, eventType, body),
      ],
      parts: (template.parts ?? []).map(presentPinnedPart),
    };
  };
}

const PREVIEW_EXAMPLE = {
  template_id: EXAMPLE_IDS.template,
  deliverable: true,
  rendered: {
    subject: 'Order A-1042 has been shipped',
    html: '<p>Hello Ada Lovelace, order A-1042 is on its way.</p>',
    text: 'Hello Ada Lovelace, order A-1042 is on its way.',
  },
  warnings: [TEXT_DERIVED],
  parts: [{ id: EXAMPLE_IDS.layout, type: 'layout', name: 'main', version: 2 }],
};

/** Shows what would be sent. Stores and sends nothing. */
export const preview = adminOperation({
  path: `${TEMPLATE_PATH}/preview`,
  operationId: 'previewTemplate',
  forTokens: 'reads',
  scope: 'templates:read',
  memory: MEMORY.page,
  summary: 'Preview a version of a template',
  description:
    'Renders what a delivery would send, within the same limits, and stores and sends nothing. ' +
    'Lists missing variables, and warns of problems that receivers would see. The body is ' +
    'optional.',
  body: {
    use: 'optional',
    schema: PREVIEW_BODY_SCHEMA,
    examples: {
      payload: { summary: 'With a payload', value: { payload: { order_id: 'A-1042' } } },
      french: { summary: 'In French', value: { locale: 'fr', payload: { order_id: 'A-1042' } } },
      empty: { summary: 'To see what is missing', value: {} },
    },
  },
  success: returns('TemplatePreview', PREVIEW_EXAMPLE),
  of: TEMPLATE,
  setUp: createRenderPreview,
  run: async (request, deps, render) => {
    const template = request.found;
    const { parts: ids = [] } = request.body;
    if (ids.length === 0) return render(template, request.body);
    const parts = await resolveParts(deps.db, { ...template, references: [] }, ids);
    return render({ ...template, parts }, request.body);
  },
});

/** The same examples without fields that only stored versions have. */
const draftExamplesOf = (registry: ChannelRegistry) =>
  Object.fromEntries(
    Object.entries(examplesOf(registry)).map(([name, { summary, value }]) => {
      const { activate: _activate, ...draft } = value as JsonObject;
      return [name, { summary, value: draft }];
    }),
  );

/** The fields of other formats are null. */
const NO_CONTENT = { subject: null, html: null, text: null, mjml: null, body: null, envelope: null };

/** Previews a template before it is stored. */
export const previewDraftWith = (kinds: ChannelRegistry) =>
  adminOperation({
    path: `${TEMPLATES_PATH}/preview-draft`,
    operationId: 'previewTemplateDraft',
    forTokens: 'reads',
    scope: 'templates:read',
    memory: MEMORY.page,
    summary: 'Preview a template that is not stored',
    description:
      'Checks a template as creating it would, and renders it as the preview of a version does. Nothing is stored ' +
      'or sent.',
    body: {
      schema: draftBodySchema(kinds),
      validate: createDraftValidator(kinds),
      examples: draftExamplesOf(kinds),
    },
    success: returns('TemplatePreview', { ...PREVIEW_EXAMPLE, template_id: null }),
    of: ENVIRONMENT,
    setUp: createRenderPreview,
    run: async (request, deps, render) => {
      const { body, found: environment } = request;
      const prepared = await deps.renderer.prepare(toSource(kinds, body), {
        owner: environment.tenantId,
        part: environment.id,
      });
      const checked = checkedOf(prepared);
      const { recipient, payload, locale, parts: ids = [] } = body;
      const { references } = checked;
      const source = { environmentId: environment.id, uses: usesOf(references), parts: null };
      const parts = await resolveParts(deps.db, { ...source, references }, ids);
      return render(
        {
          ...NO_CONTENT,
          ...checked.template,
          id: null,
          environmentId: environment.id,
          eventKey: body.event_key,
          channelKind: body.channel_kind,
          parts,
          defaultLocale: environment.defaultLocale,
        },
        { ...(recipient && { recipient }), ...(payload && { payload }), ...(locale && { locale }) },
      );
    },
  });
