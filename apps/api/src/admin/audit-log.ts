import {
  ACTOR_KINDS,
  AUDIT_PROBLEMS,
  AUDITED_RESOURCES,
  type AuditProblem,
  type ChainState,
  listAuditEntries,
  listChainedEntries,
  type NotedHead,
  readChainState,
  VERIFY_START,
  type VerifyPosition,
  verifyAuditLog,
  verifyHead,
} from '@postrider/db';
import { ACTOR_NAME_PATTERN, fields, formatId, formatTime, isUuid, type JsonObject } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { cursorsOf, described, idParameter, oneOf, type Parameter, TIME, textThat } from '../paging/query.ts';
import { isActorName } from './authenticate.ts';
import { type AdminResource, adminOperation, listPage } from './operation.ts';
import { TENANT_EXAMPLE } from './tenants.ts';

/** The fields of an entry. */
const ENTRY = {
  id: json.id('aud', 'The entry.'),
  actor: json.text(
    'The name of the operator or token; with the admin token the `X-Actor` of the request, `admin` without one; `seed` ' +
      'or `worker` for the service itself.',
  ),
  actor_kind: json.nullable(
    json.oneOf(
      ACTOR_KINDS,
      'How the actor proved who it is. `admin_token`: its holder chose the name. Null in older entries.',
    ),
  ),
  credential: json.nullable(
    json.text('The id of the token or session; null for the admin token and the service itself.'),
  ),
  address: json.nullable(json.text('The client’s IP address.')),
  reason: json.nullable(json.text('The `X-Reason` of the request.')),
  action: json.text('The kind of resource and the change, such as `channel.updated`.'),
  resource_type: json.oneOf(AUDITED_RESOURCES, 'The kind of resource.'),
  resource_id: json.text('Its public id, or its code or key where it has no id.'),
  tenant_id: json.nullable(json.id('ten', 'The tenant that it belongs to.')),
  environment_id: json.nullable(json.id('env', 'The environment that it belongs to.')),
  before: json.nullable(
    json.openObject('The resource before the change, without secrets; null if it was created.'),
  ),
  after: json.nullable(json.openObject('The resource after the change; null if it was deleted.')),
  request_id: json.nullable(json.text('The X-Request-ID of the request.')),
  trace_id: json.nullable(json.text('The W3C trace id of the request.')),
  created_at: json.time('When it was changed.'),
};

const ENTRY_EXAMPLE = {
  id: 'aud_01kb2v0a4mfc7tq2x9z6w3s8ke',
  actor: 'ada@example.com',
  actor_kind: 'operator',
  credential: 'ses_01kb2x7w5nfxq8s0v7z4m2t6yc',
  address: '192.0.2.10',
  reason: 'Three unpaid invoices',
  action: 'tenant.updated',
  resource_type: 'tenant',
  resource_id: EXAMPLE_IDS.tenant,
  tenant_id: EXAMPLE_IDS.tenant,
  before: TENANT_EXAMPLE,
  after: { ...TENANT_EXAMPLE, billing_status: 'suspended', updated_at: '2026-11-21T10:00:00.000Z' },
  request_id: 'dunning-7',
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  created_at: '2026-11-21T10:00:00.000Z',
};

const presentEntry = fields.presenterOf<json.Schemas>(ENTRY, 'aud');

/** Public ids, codes and event keys. Postgres would refuse other texts, or they would match nothing. */
const RESOURCE_ID = /^[\x21-\x7e]{1,255}$/;

/** An action, such as `channel.updated`. */
const ACTION = /^[a-z_]{1,64}\.[a-z_]{1,64}$/;

const FILTERS = {
  tenant_id: described(
    'Only changes of this tenant, including resources of its environments.',
    idParameter('ten'),
    json.id('ten', 'A tenant.'),
  ),
  environment_id: described(
    'Only changes in this environment.',
    idParameter('env'),
    json.id('env', 'An environment.'),
  ),
  resource_type: described(
    'Only changes of this kind of resource.',
    oneOf(AUDITED_RESOURCES),
    json.oneOf(AUDITED_RESOURCES, 'A kind of resource.'),
  ),
  resource_id: described(
    'Only changes of the resource with this id, code or key.',
    textThat((text) => RESOURCE_ID.test(text), 'must be the id, code or key of a resource'),
    { type: 'string', pattern: RESOURCE_ID.source },
  ),
  actor: described(
    'Only changes by exactly this actor.',
    textThat(isActorName, 'must be 1 to 128 visible ASCII characters'),
    { type: 'string', pattern: ACTOR_NAME_PATTERN },
  ),
  action: described(
    'Only this action, such as `channel.updated`.',
    textThat((text) => ACTION.test(text), 'must be an action such as channel.updated'),
    { type: 'string', pattern: ACTION.source },
  ),
  created_after: described('At this time or later.', TIME),
  created_before: described('Before this time.', TIME),
};

/** The entries of management calls that change something: docs/specification.md, "Audit log". */
const AUDIT_LOG_SCHEMAS: json.Schemas = {
  AuditEntry: json.record('One change of the configuration.', ENTRY),
  AuditLog: json.pageOf('AuditEntry', 'A page of changes, newest first.'),
};

const list = listPage({
  path: '/admin/v1/audit-log',
  operationId: 'listAuditLog',
  scope: 'audit:read',
  filtersByBounds: true,
  memory: MEMORY.page,
  summary: 'List changes',
  description:
    'Changes, newest first, each written in the transaction of the change. Filters are combined with “and”. A page ' +
    'also ends, with `has_more`, before its entries exceed 2 MiB in total.',
  filters: FILTERS,
  read: (db, { filter, after, limit, bounds }) => listAuditEntries(db, { filter, after, limit, bounds }),
  present: presentEntry,
  schema: json.ref('AuditLog'),
  example: ENTRY_EXAMPLE,
});

const SEQUENCE = /^(?:0|[1-9]\d{0,14})$/;
const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const CHAIN_SCHEMAS: json.Schemas = {
  AuditHead: json.record(
    'The end of the hash chain. Note it elsewhere, to check later that it is still there.',
    {
      sequence: json.count('The sequence of the newest entry in the chain.'),
      hash: json.text('Its hash, as 64 hexadecimal digits.'),
      chained_at: json.time('When it was appended.'),
    },
  ),
  AuditChain: json.record('The hash chain of the audit log.', {
    head: json.nullable(json.ref('AuditHead')),
    waiting: json.count('Entries that a worker has not appended yet, counted up to 10,000.'),
    waiting_since: json.optionalTime('When the oldest of them was written.'),
  }),
  AuditProblem: json.record('What is wrong with the audit log.', {
    kind: json.oneOf(
      AUDIT_PROBLEMS,
      '`changed`: the entry is not what was chained. `removed`: it is missing. `link_removed`: the chain has a gap here. ' +
        '`not_chained`: the entry is not in the chain. `head_missing`: the expected head is not in the chain, which was cut ' +
        'off, built again or restored from a backup.',
    ),
    sequence: json.nullable(json.count('The sequence in the chain; null for an entry that is not in it.')),
    entry_id: json.nullable(json.id('aud', 'The entry; null if it is not known.')),
  }),
  AuditCheck: json.record('A part of the audit log that was checked.', {
    checked: json.count('Entries that were checked, up to the problem.'),
    problem: json.nullable(json.ref('AuditProblem')),
    head: json.nullable(json.ref('AuditHead')),
    next_cursor: json.nullable(json.text('Where to continue; null at the end.')),
  }),
  ChainedAuditEntry: json.record('A change with its position in the hash chain.', {
    sequence: json.count('Its position in the hash chain, from 1, without gaps.'),
    hash: json.text('Its hash in the chain, as 64 hexadecimal digits.'),
    chained_at: json.time('When it was appended to the chain.'),
    ...ENTRY,
  }),
  AuditExport: json.pageOf('ChainedAuditEntry', 'A page of changes in the order of the hash chain.'),
};

const HEAD_EXAMPLE = {
  sequence: 1042,
  hash: '5c4f0e8a1d7b3c96f2a8e4d1b0c7a3f6e9d2c5b8a1f4e7d0c3b6a9f2e5d8c1b4',
  chained_at: '2026-11-21T10:00:00.412Z',
};

function presentHead(head: ChainState['head']): JsonObject | null {
  return head && { sequence: head.sequence, hash: hex(head.hash), chained_at: formatTime(head.chainedAt) };
}

function presentProblem(problem: AuditProblem | null): JsonObject | null {
  if (!problem) return null;
  const { kind, sequence, entryId } = problem;
  return { kind, sequence, entry_id: entryId && formatId('aud', entryId) };
}

const getChain = adminOperation({
  path: '/admin/v1/audit-log/chain',
  operationId: 'getAuditChain',
  scope: 'audit:read',
  summary: 'Read the state of the hash chain',
  description:
    'The head of the hash chain, and how many entries wait for a worker to append them, which takes about a second.',
  success: returns('AuditChain', { head: HEAD_EXAMPLE }),
  run: async (_request, { db }) => {
    const { head, waiting, waitingSince } = await readChainState(db);
    return {
      head: presentHead(head),
      waiting,
      waiting_since: waitingSince && formatTime(waitingSince),
    };
  },
});

const positionText = ({ phase, after }: VerifyPosition) => `${phase}:${after ?? ''}`;

function parsePosition(text: string): VerifyPosition | null {
  const [phase, after = ''] = text.split(':');
  if (phase === 'links' && SEQUENCE.test(after)) return { phase, after: Number(after) };
  if (phase === 'entries' && (after === '' || isUuid(after))) return { phase, after: after || null };
  return null;
}

const VERIFY_CURSORS = cursorsOf('verifyAuditLog', (text) => parsePosition(text) !== null);

const EXPECTED_HEAD: Parameter<NotedHead> = {
  parse: (given) => {
    const [, sequence = '', hash = ''] = HEAD.exec(given) ?? [];
    return hash ? { sequence: Number(sequence), hash: Buffer.from(hash, 'hex') } : null;
  },
  code: 'invalid_format',
  message: 'must be a sequence, a colon, and a hash of 64 hexadecimal digits',
};

const verify = adminOperation({
  path: '/admin/v1/audit-log/verify',
  operationId: 'verifyAuditLog',
  scope: 'audit:read',
  summary: 'Check the audit log against its hash chain',
  description:
    'Checks up to 10,000 entries, and stops at the first that was changed or removed: `problem` names it. Continue ' +
    'with `next_cursor` until it is null: all entries are checked first, in the order of the chain, and then ' +
    'whether the chain lacks an entry. With `expected_head`, the first page also checks that a head you noted ' +
    'earlier is still there; otherwise nobody notices if the newest entries and their positions were removed.',
  query: {
    cursor: VERIFY_CURSORS.parameter,
    expected_head: described('A head that was noted earlier, as `<sequence>:<hash>`.', EXPECTED_HEAD, {
      type: 'string',
      pattern: HEAD.source,
    }),
  },
  success: returns('AuditCheck', {
    checked: 517,
    problem: { sequence: 517, entry_id: ENTRY_EXAMPLE.id },
    head: HEAD_EXAMPLE,
    next_cursor: VERIFY_CURSORS.format('links:517'),
  }),
  run: async ({ values: { cursor, expected_head: noted } }, { db, serviceKeys }) => {
    const { auditChain: key } = await serviceKeys.get();
    const position = (cursor !== undefined && parsePosition(cursor)) || VERIFY_START;
    const missing = noted && (await verifyHead(db, noted));
    const page = missing
      ? { checked: 0, problem: missing, next: position }
      : await verifyAuditLog({ db, key }, position);
    const { head } = await readChainState(db);
    return {
      checked: page.checked,
      problem: presentProblem(page.problem),
      head: presentHead(head),
      next_cursor: page.next && VERIFY_CURSORS.format(positionText(page.next)),
    };
  },
});

const AFTER: Parameter<string> = {
  parse: (text) => (SEQUENCE.test(text) ? text : null),
  code: 'invalid_value',
  message: 'must be the sequence of an entry, or 0',
};

const exportEntries = listPage({
  path: '/admin/v1/audit-log/export',
  operationId: 'exportAuditLog',
  scope: 'audit:read',
  memory: MEMORY.page,
  summary: 'List changes in the order of the hash chain',
  description:
    'Changes with their positions in the hash chain, oldest first, for a copy elsewhere: `after` continues where ' +
    'the copy ends. A missing sequence means that an entry was removed. An entry appears about a second after its ' +
    'change. A page also ends, with `has_more`, before its entries exceed 2 MiB in total.',
  filters: {
    after: described('Only entries after this sequence; a cursor replaces it.', AFTER, {
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999_999_999,
    }),
  },
  orderedBy: (text) => SEQUENCE.test(text),
  read: (db, { filter, after, limit }) =>
    listChainedEntries(db, { after: after ?? filter.after ?? null, limit }),
  present: ({ sequence, hash, chainedAt, ...entry }) => ({
    sequence,
    hash: hex(hash),
    chained_at: formatTime(chainedAt),
    ...presentEntry(entry),
  }),
  schema: json.ref('AuditExport'),
  example: { ...HEAD_EXAMPLE, ...ENTRY_EXAMPLE },
});

export const AUDIT_LOG: AdminResource = {
  tag: { name: 'Audit log', description: 'Management: who changed what.' },
  schemas: { ...AUDIT_LOG_SCHEMAS, ...CHAIN_SCHEMAS },
  operations: [list, getChain, verify, exportEntries],
};
