import {
  addSuppression,
  importSuppressions,
  listStreams,
  listSuppressions,
  removeSuppression,
  type SuppressionInput,
} from '@postrider/db';
import {
  ALL_STREAMS,
  type Detail,
  invalid,
  invalidValue,
  isStreamName,
  PLAIN_TEXT_PATTERN,
  parseTimestamp,
  presentSuppression,
  RECIPIENTS_WISHES,
  reject,
  STREAM_SCHEMA,
  SUPPRESSION_FIELDS,
  toBareAddress,
} from '@postrider/domain';
import { RECIPIENT_SCHEMA } from '../events/schema.ts';
import { MEMORY } from '../http/memory.ts';
import { creates, returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { described, type Parameter } from '../paging/query.ts';
import { ENVIRONMENT } from './environments.ts';
import { type AdminRequest, type AdminResource, adminOperation, type CallDeps, find } from './operation.ts';
import { standardOperationsOf } from './standard-operations.ts';

/** Entries per import: a body with that many is within the limit of every body. */
const MAX_IMPORTED = 500;

const SUPPRESSION_BODY_SCHEMA = json.closedObject(['email'], {
  email: {
    ...RECIPIENT_SCHEMA.properties.email,
    description: 'The address, case-insensitive including the local part.',
  },
  scope: {
    ...STREAM_SCHEMA,
    default: ALL_STREAMS,
    description: '`all`: nothing is sent to it. The name of a stream: nothing of that stream.',
  },
  reason: {
    type: ['string', 'null'],
    maxLength: 500,
    pattern: PLAIN_TEXT_PATTERN,
    default: null,
    description: 'The reason for operators, on one line.',
  },
  expires_at: json.timeOrNull('When the entry ends: a future time in RFC 3339 with offset. Null: it stays.'),
});

type SuppressionBody = json.BodyOf<typeof SUPPRESSION_BODY_SCHEMA>;

const IMPORT_BODY_SCHEMA = json.closedObject(['entries'], {
  entries: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_IMPORTED,
    items: SUPPRESSION_BODY_SCHEMA,
    description: 'Addresses with their scopes.',
  },
});

/** Response schemas (docs/specification.md, "Suppressed recipients"). */
const SUPPRESSION_SCHEMAS: json.Schemas = {
  Suppression: json.record('An address to which the environment sends no email.', SUPPRESSION_FIELDS),
  SuppressionList: json.pageOf('Suppression', 'A page of suppressions, newest first.'),
  ImportedSuppressions: json.record('The result of an import.', {
    added: json.count('Entries that are new.'),
    existing: json.count('Entries that were already on the list, or repeated; they are unchanged.'),
  }),
};

const SUPPRESSION_EXAMPLE = {
  email: 'ada@example.com',
  scope: 'all',
  reason: '550 5.1.1 no such user',
  created_at: '2026-11-22T09:30:00.000Z',
};

const MANUAL_EXAMPLE = { ...SUPPRESSION_EXAMPLE, reason: 'asked by telephone', source: 'manual' };

const MAX_LISTED_STREAMS = 20;

const EMAIL: Parameter<string> = {
  parse: (given) => toBareAddress(given.trim()),
  code: 'invalid_format',
  message: 'must be one bare address',
};

/** An entry of a request, and its JSON Pointer there. */
interface Given {
  readonly entry: SuppressionBody;
  readonly path: string;
}

function issuesOf({ entry: { scope = ALL_STREAMS, expires_at }, path }: Given, now: Date): Detail[] {
  const expiresAt = expires_at ? parseTimestamp(expires_at) : null;
  const isStream = scope === ALL_STREAMS || isStreamName(scope);
  const isPast = expires_at && (expiresAt === null || expiresAt <= now);
  return [
    ...(isStream ? [] : [invalidValue(`${path}/scope`, 'must be all or the name of a stream')]),
    ...(isPast ? [invalidValue(`${path}/expires_at`, 'must be a time in the future')] : []),
  ];
}

/** Rejects entries that are not valid, or whose scope is a stream that the environment does not have. */
async function requireValid(
  { db, clock }: CallDeps,
  request: AdminRequest<'environmentId'>,
  given: readonly Given[],
): Promise<void> {
  const now = await clock.read();
  const issues = given.flatMap((each) => issuesOf(each, now));
  if (issues.length > 0) reject(invalid(issues));
  const ofStreams = given.filter(({ entry: { scope = ALL_STREAMS } }) => scope !== ALL_STREAMS);
  if (ofStreams.length === 0) return;
  const known = await listStreams(db, request.ids.environmentId);
  const unknown = ofStreams.filter(({ entry: { scope = '' } }) => !known.includes(scope));
  if (unknown.length === 0) return;
  // An environment that does not exist has no streams either.
  await find(db, request, ENVIRONMENT);
  const listed = [ALL_STREAMS, ...known.slice(0, MAX_LISTED_STREAMS)].join(', ');
  const message = `is not a stream of the environment: it must be one of ${listed}`;
  reject(invalid(unknown.map(({ path }) => invalidValue(`${path}/scope`, message))));
}

const withKeys = async ({ db, newId, actor, serviceKeys }: CallDeps) => ({
  db,
  newId,
  actor,
  keys: await serviceKeys.get(),
});

const inputOf = (
  { email, scope = ALL_STREAMS, reason = null, expires_at }: SuppressionBody,
  source: SuppressionInput['source'],
): SuppressionInput => ({
  email,
  scope,
  reason,
  source,
  expiresAt: expires_at ? parseTimestamp(expires_at) : null,
});

const STANDARD = standardOperationsOf({
  name: 'Suppression',
  all: '/admin/v1/environments/{environmentId}/suppressions',
  one: '/admin/v1/suppressions/{suppressionId}',
  scopes: ['suppressions:read', 'suppressions:write'],
  forTokens: true,
  parent: ENVIRONMENT,
  present: presentSuppression,
  example: SUPPRESSION_EXAMPLE,
});

export const SUPPRESSIONS: AdminResource = {
  tag: { name: 'Suppressions', description: 'Management: addresses to which an environment sends no email.' },
  schemas: SUPPRESSION_SCHEMAS,
  operations: [
    STANDARD.create({
      summary: 'Suppress an address',
      description:
        'Adds an address to the environment’s suppression list. Email runs to it that are claimed from then on end ' +
        'as `failed` with `recipient_suppressed`: new events, retries, schedules and replays. If the address is ' +
        'already on the list in this scope, the existing entry is returned unchanged (without its text if that was ' +
        'erased), unless it ends earlier: then the new one replaces it.',
      body: {
        schema: SUPPRESSION_BODY_SCHEMA,
        examples: {
          all: {
            summary: 'From all email',
            value: { email: 'ada@example.com', reason: 'asked by telephone' },
          },
          stream: { summary: 'From one stream', value: { email: 'ada@example.com', scope: 'newsletter' } },
        },
      },
      success: creates('Suppression', MANUAL_EXAMPLE),
      run: async (request, deps) => {
        const { body: entry, ids } = request;
        await requireValid(deps, request, [{ entry, path: '' }]);
        const added = await addSuppression(await withKeys(deps), { ...ids, ...inputOf(entry, 'manual') });
        return presentSuppression(added);
      },
    }),
    adminOperation({
      path: '/admin/v1/environments/{environmentId}/suppressions/import',
      operationId: 'importSuppressions',
      forTokens: 'stores more',
      scope: 'suppressions:write',
      memory: MEMORY.rows,
      summary: 'Suppress many addresses',
      description: `Adds up to ${MAX_IMPORTED} addresses in one transaction, all or none. Sending the same entries again changes nothing.`,
      body: {
        schema: IMPORT_BODY_SCHEMA,
        examples: {
          two: {
            summary: 'Two addresses',
            value: {
              entries: [{ email: 'ada@example.com' }, { email: 'grace@example.com', scope: 'newsletter' }],
            },
          },
        },
      },
      success: returns('ImportedSuppressions', { added: 2, existing: 0 }),
      run: async (request, deps) => {
        const { body, ids } = request;
        const given = body.entries.map((entry, index) => ({ entry, path: `/entries/${index}` }));
        await requireValid(deps, request, given);
        const entries = body.entries.map((entry) => inputOf(entry, 'import'));
        return await importSuppressions(await withKeys(deps), { ...ids, entries });
      },
    }),
    STANDARD.list({
      description:
        'The suppression list of an environment, newest first; of one address with `email` (with `messages:content`).',
      filters: {
        email: described('Exactly this address, ignoring case.', EMAIL, {
          type: 'string',
          format: 'email',
          maxLength: 254,
        }),
      },
      isByContent: ({ email }) => email !== undefined,
      read: async (db, { parent: { id: environmentId }, filter: { email }, after, limit }, { serviceKeys }) =>
        listSuppressions(db, await serviceKeys.get(), { environmentId, email, after, limit }),
    }),
    STANDARD.remove({
      summary: 'Remove a suppression',
      description:
        'Email to the address is sent again, unless another entry suppresses it. Runs that have ' +
        'failed meanwhile stay failed; replay them. A token cannot remove an entry of a recipient who complained or ' +
        'unsubscribed (403).',
      run: async ({ ids, isOutsider }, deps) => {
        const keep = isOutsider ? RECIPIENTS_WISHES : [];
        return removeSuppression(await withKeys(deps), { id: ids.suppressionId, keep });
      },
    }),
  ],
};
