import { type ChannelRegistry, perRegistry } from '@postrider/channels';
import {
  measureConfiguration,
  readAppliedConfiguration,
  readAtOnce,
  readConfiguration,
  readEnvironment,
  type UnboundDatabase,
} from '@postrider/db';
import {
  conflict,
  type EnvironmentRecord,
  formatTime,
  isJsonObject,
  reject,
  retryLater,
} from '@postrider/domain';
import { createFairSemaphore, type FairSemaphore } from '@postrider/fairness';
import type { SchemaObject } from 'ajv';
import { MAX_DOCUMENT_BYTES } from '../../http/admission.ts';
import { type CountStored, MEMORY } from '../../http/memory.ts';
import { returns } from '../../openapi/operation.ts';
import { closedObject, option } from '../../openapi/schema.ts';
import type { OperationResult } from '../../pipeline/operation.ts';
import { compileBody } from '../../validation/body.ts';
import { ENVIRONMENT } from '../environments.ts';
import { type AdminDeps, type AdminRequest, type AdminResource, adminOperation, find } from '../operation.ts';
import { type Asked, mayRead, requireSections, tryDocument } from './apply.ts';
import { digestOf, inOrder } from './difference.ts';
import { type ConfigurationDocument, documentSchema, storedByKey } from './document.ts';
import {
  APPLIED_EXAMPLE,
  CONFIGURATION_SCHEMAS,
  DOCUMENT_EXAMPLE,
  DRIFT_EXAMPLE,
  EXPORT_EXAMPLE,
  PLAN_EXAMPLE,
} from './schema.ts';
import { storedSecrets } from './secrets.ts';
import { type Configured, type Section, sectionsOf } from './sections.ts';

const PATH = '/admin/v1/environments/{environmentId}/configuration';

/** The stored configuration is read twice, compared, and written into the response. */
const HELD = 4;
const memory: CountStored = async (db, { environmentId }) =>
  MEMORY.page + (environmentId === null ? 0 : HELD * (await measureConfiguration(db, environmentId)));

const TOO_LARGE = conflict(
  `The configuration has more than ${MAX_DOCUMENT_BYTES / 1_048_576} MiB: change it with the operations of its resources.`,
);

/** A transaction holds a connection of those for operators, and locks. So a process runs one after the other. */
const ONE_BY_ONE = { total: 1, perOwner: 1, maxWaiting: 16, maxWaitingPerOwner: 4, waitMs: 10_000 };
const BUSY = retryLater(
  'service_unavailable',
  5,
  'Other configurations are being planned or applied: send the same request again.',
);

const turns = new WeakMap<AdminDeps, FairSemaphore>();

/** The turns of a process, which plans and applies share. */
function turnsOf(deps: AdminDeps): FairSemaphore {
  const known = turns.get(deps) ?? createFairSemaphore(ONE_BY_ONE);
  turns.set(deps, known);
  return known;
}

const readable = (request: AdminRequest, sections: readonly Section[]) =>
  sections.filter((section) => mayRead(request, section));

/** Finds the environment of a path, unless its configuration is too large. */
async function findIn(
  db: UnboundDatabase,
  request: AdminRequest<'environmentId'>,
): Promise<EnvironmentRecord> {
  const environment = await find(db, request, ENVIRONMENT);
  if ((await measureConfiguration(db, environment.id)) > MAX_DOCUMENT_BYTES) reject(TOO_LARGE);
  return environment;
}

/**
 * Reads the configuration of the environment of a path, and what was applied last, with all or nothing of an apply that commits
 * meanwhile.
 */
async function readOf(db: UnboundDatabase, request: AdminRequest<'environmentId'>) {
  const found = await findIn(db, request);
  const { id } = found;
  return readAtOnce({ db }, async (tx) => {
    const environment = (await readEnvironment(tx, id)) ?? found;
    const configured: Configured = { ...(await readConfiguration(tx, id)), environment };
    return { configured, last: await readAppliedConfiguration(tx, id) };
  });
}

const exportWith = (kinds: ChannelRegistry) =>
  adminOperation({
    path: PATH,
    operationId: 'exportConfiguration',
    scope: 'templates:read',
    memory,
    summary: 'Export the configuration of an environment',
    description:
      'A document with everything that the caller may see: settings, event types, active versions of templates and ' +
      'their parts, channels except those of consumers, and, for callers without bounds, the plans and custom ' +
      'roles of the installation. It contains no ids, times or secrets, so the exports of two environments can be ' +
      'compared. Resources of one kind that share a name are left out.',
    success: returns('ExportedConfiguration', EXPORT_EXAMPLE),
    errors: ['conflict'],
    run: async (request, { db }) => {
      const { configured } = await readOf(db, request);
      const sections = readable(request, sectionsOf(kinds)).map((section) => ({
        section,
        ...storedByKey(section, configured),
      }));
      const values = sections.map(({ section, byKey }): [string, unknown] => {
        const items = [...byKey.values()].map(({ value }) => inOrder(value));
        return [section.name, section.keyFields.length === 0 ? items[0] : items];
      });
      const secrets = sections.flatMap(({ section: { kind }, byKey }) =>
        [...byKey.values()].flatMap(({ key, channel }) =>
          channel ? storedSecrets(kinds, channel).map((path) => ({ kind, key, path: `/config${path}` })) : [],
        ),
      );
      return {
        document: { version: 1, ...Object.fromEntries(values) },
        secrets,
        left_out: sections.flatMap(({ leftOut }) => leftOut),
      };
    },
  });

interface PlanBody {
  readonly document: ConfigurationDocument;
  readonly prune?: boolean;
  readonly hash?: string;
}

const fieldsOf = (kinds: ChannelRegistry) => ({
  document: documentSchema(kinds),
  prune: option(
    false,
    'Whether resources that the document does not have are removed, in the sections that it has. Plans stay.',
  ),
});

type Done = Awaited<ReturnType<typeof tryDocument>>;

/** Plans or applies the document of a request, after those before it. */
async function tryInTurn(
  request: AdminRequest<'environmentId', PlanBody>,
  deps: AdminDeps,
  turns: FairSemaphore,
  toResult: (done: Done) => OperationResult,
): Promise<OperationResult> {
  const { document, prune = false, hash = null } = request.body;
  const asked: Asked = { document, prune, hash };
  const sections = sectionsOf(deps.kinds).filter(({ name }) => document[name] !== undefined);
  requireSections(request, sections);
  const { id } = await findIn(deps.db, request);
  const permit = await turns.acquire({ owner: request.callerId });
  if (!permit) reject(BUSY);
  try {
    return toResult(await tryDocument(deps, request, id, asked));
  } finally {
    permit.release();
  }
}

/** What plans and applies of a document have in common. */
const OF_DOCUMENT = {
  scope: 'templates:read',
  memory,
  maxBodyBytes: MAX_DOCUMENT_BYTES,
  setUp: turnsOf,
} as const;

const documentBody = (schema: SchemaObject, more: object = {}) => ({
  schema,
  validate: compileBody<PlanBody>(schema),
  examples: { document: { summary: 'A document', value: { document: DOCUMENT_EXAMPLE, ...more } } },
});

const planWith = (kinds: ChannelRegistry) =>
  adminOperation({
    ...OF_DOCUMENT,
    path: `${PATH}/plan`,
    operationId: 'planConfiguration',
    summary: 'Plan a configuration',
    description:
      'Shows what applying the document would change, and up to 100 errors. Nothing is changed. Each template that ' +
      'gets a new version is rendered with the newest stored event of its key, or the first of the `examples` of ' +
      'its payload schema: the first 50, those that differ before those that only use a changed part; ' +
      '`checks_left_out` counts the others. Requires the right to read each section of the document, but none to ' +
      'change it.',
    body: documentBody(closedObject(['document'], fieldsOf(kinds))),
    success: returns('ConfigurationPlan', PLAN_EXAMPLE),
    errors: ['conflict'],
    run: (request, deps, turns) => tryInTurn(request, deps, turns, ({ planned }) => planned),
  });

const HASH = {
  type: 'string',
  minLength: 64,
  maxLength: 64,
  description: 'The `hash` of the plan. 409 `configuration_changed` if the current plan has another one.',
} as const;

const applyWith = (kinds: ChannelRegistry) =>
  adminOperation({
    ...OF_DOCUMENT,
    path: `${PATH}/apply`,
    operationId: 'applyConfiguration',
    summary: 'Apply a configuration',
    description:
      'Makes all changes of a plan in one transaction, or none. Each change requires the right of the operation ' +
      'that would make it. Their entries in the audit log share one `request_id`. Secrets that are left out stay; ' +
      'a template with errors is refused.',
    body: documentBody(closedObject(['document', 'hash'], { ...fieldsOf(kinds), hash: HASH }), {
      hash: PLAN_EXAMPLE.hash,
    }),
    success: returns('AppliedConfiguration', APPLIED_EXAMPLE),
    errors: ['configuration_changed', 'conflict'],
    run: (request, deps, turns) =>
      tryInTurn(request, deps, turns, ({ planned: { hash, changes }, secrets, requestId }) => ({
        request_id: requestId,
        hash,
        changes,
        secrets,
      })),
  });

type Digests = Readonly<Record<string, Readonly<Record<string, string>>>>;

const driftWith = (kinds: ChannelRegistry) =>
  adminOperation({
    path: `${PATH}/drift`,
    operationId: 'getConfigurationDrift',
    scope: 'templates:read',
    memory,
    summary: 'Compare with the configuration that was applied last',
    description:
      'The resources that have changed since the last apply, in the sections of its document that the caller may see.',
    success: returns('ConfigurationDrift', DRIFT_EXAMPLE),
    errors: ['conflict'],
    run: async (request, { db }) => {
      const { configured, last } = await readOf(db, request);
      if (!last) return { applied: null, changes: [] };
      const resources = (
        isJsonObject(last.applied.resources ?? null) ? last.applied.resources : {}
      ) as Digests;
      const changes = readable(request, sectionsOf(kinds)).flatMap((section) => {
        const { kind } = section;
        const digests = resources[kind];
        if (!digests) return [];
        const { byKey } = storedByKey(section, configured);
        const keys = [...new Set([...Object.keys(digests), ...byKey.keys()])].sort();
        return keys.flatMap((key) => {
          const now = byKey.get(key);
          const digest = now && digestOf(now.value);
          const before = Object.hasOwn(digests, key) ? digests[key] : undefined;
          if (digest === before) return [];
          const action = now ? (before === undefined ? 'create' : 'update') : 'delete';
          return [{ action, kind, key, id: now?.id ?? null }];
        });
      });
      const { at, actor, requestId, applied } = last;
      return {
        applied: { at: formatTime(at), actor, request_id: requestId, hash: applied.hash ?? null },
        changes,
      };
    },
  });

export const configurationResource = perRegistry(
  (kinds): AdminResource => ({
    tag: {
      name: 'Configuration',
      description: 'Management: the configuration of an environment as one document.',
    },
    schemas: CONFIGURATION_SCHEMAS,
    operations: [exportWith(kinds), planWith(kinds), applyWith(kinds), driftWith(kinds)],
  }),
);
