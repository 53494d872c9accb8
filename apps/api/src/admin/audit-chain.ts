import {
  AUDIT_PROBLEMS,
  type AuditProblem,
  type ChainState,
  listChainedEntries,
  type NotedHead,
  readChainState,
  VERIFY_START,
  type VerifyPosition,
  verifyAuditLog,
  verifyHead,
} from '@postrider/db';
import { formatId, formatTime, type JsonObject } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { ok } from '../http/reply.ts';
import { answers } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { described, formatTextCursor, type Parameter, textCursor } from '../paging/query.ts';
import { ENTRY, ENTRY_EXAMPLE, presentEntry } from './audit-entry.ts';
import { type AdminOperation, listPage, withoutBody } from './operation.ts';

const SEQUENCE = /^(?:0|[1-9]\d{0,14})$/;
const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const SEQUENCE_SCHEMA = json.count('Its place in the hash chain, from 1, without gaps.');
const HASH_SCHEMA = json.text('Its hash in the chain, as 64 hexadecimal digits.');
const HEAD_PROPERTIES = {
  sequence: json.count('The sequence of the newest entry in the chain.'),
  hash: json.text('Its hash, as 64 hexadecimal digits.'),
  chained_at: json.time('When it was appended.'),
};

export const CHAIN_SCHEMAS: json.Schemas = {
  AuditHead: json.record(
    'The end of the hash chain. Note it elsewhere, to check later that it is still there.',
    {
      ...HEAD_PROPERTIES,
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
  ChainedAuditEntry: json.record('A change with its place in the hash chain.', {
    sequence: SEQUENCE_SCHEMA,
    hash: HASH_SCHEMA,
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

const getChain = withoutBody({
  path: '/admin/v1/audit-log/chain',
  operationId: 'getAuditChain',
  scope: 'audit:read',
  summary: 'Read the state of the hash chain',
  description:
    'The head of the hash chain, and how many entries wait for a worker to append them, which takes about a second.',
  success: answers('AuditChain', { head: HEAD_EXAMPLE, waiting: 0, waiting_since: null }),
  run: async (_request, { db }) => {
    const { head, waiting, waitingSince } = await readChainState(db);
    return ok({
      head: presentHead(head),
      waiting,
      waiting_since: waitingSince && formatTime(waitingSince),
    });
  },
});

const positionText = ({ phase, after }: VerifyPosition) => `${phase}:${after ?? ''}`;

function parsePosition(text: string): VerifyPosition | null {
  const [phase, after = ''] = text.split(':');
  if (phase === 'links' && SEQUENCE.test(after)) return { phase, after: Number(after) };
  if (phase === 'entries' && (after === '' || UUID.test(after))) return { phase, after: after || null };
  return null;
}

const EXPECTED_HEAD: Parameter<NotedHead> = {
  parse: (given) => {
    const [, sequence = '', hash = ''] = HEAD.exec(given) ?? [];
    return hash ? { sequence: Number(sequence), hash: Buffer.from(hash, 'hex') } : null;
  },
  code: 'invalid_format',
  message: 'must be a sequence, a colon, and a hash of 64 hexadecimal digits',
};

const verify = withoutBody({
  path: '/admin/v1/audit-log/verify',
  operationId: 'verifyAuditLog',
  scope: 'audit:read',
  summary: 'Check the audit log against its hash chain',
  description:
    'Checks up to 10,000 entries, and stops at the first that was changed or removed: `problem` names it. Continue with ' +
    '`next_cursor`, until it is null: first all entries in the order of the chain, then whether an entry is missing in the ' +
    'chain. With `expected_head`, the first page also checks that a head that you have noted is still there: without one, ' +
    'nothing shows that the newest entries were removed together with their places in the chain.',
  query: {
    cursor: textCursor((text) => parsePosition(text) !== null),
    expected_head: described('A head that was noted earlier, as `<sequence>:<hash>`.', EXPECTED_HEAD, {
      type: 'string',
      pattern: HEAD.source,
    }),
  },
  success: answers('AuditCheck', {
    checked: 517,
    problem: { kind: 'changed', sequence: 517, entry_id: ENTRY_EXAMPLE.id },
    head: HEAD_EXAMPLE,
    next_cursor: formatTextCursor('links:517'),
  }),
  run: async ({ values: { cursor, expected_head: noted } }, { db, serviceKeys }) => {
    const { auditChain: key } = await serviceKeys.get();
    const position = (cursor !== undefined && parsePosition(cursor)) || VERIFY_START;
    const missing = noted && (await verifyHead(db, noted));
    const page = missing
      ? { checked: 0, problem: missing, next: position }
      : await verifyAuditLog({ db, key }, position);
    const { head } = await readChainState(db);
    return ok({
      checked: page.checked,
      problem: presentProblem(page.problem),
      head: presentHead(head),
      next_cursor: page.next && formatTextCursor(positionText(page.next)),
    });
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
    'Changes with their places in the hash chain, oldest first, for a copy elsewhere: `after` continues where it ends. A ' +
    'sequence that is missing is an entry that was removed. An entry is here about a second after its change. A page also ' +
    'ends, with `has_more`, before its entries are larger than 2 MiB together.',
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

/** The operations on the hash chain: docs/specification.md, "Audit log". */
export const CHAIN_OPERATIONS: readonly AdminOperation[] = [getChain, verify, exportEntries];
