import { type FileHandle, open } from 'node:fs/promises';
import type { AuditCheck, ChainedAuditEntry, Page } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import { Unsuccessful, UsageError } from '../exit-codes.ts';
import { fieldOption } from '../field-options.ts';
import { listOf } from '../lists.ts';
import { withProgress } from '../output/progress.ts';
import { report } from '../output/table.ts';
import type { Session } from '../session.ts';

type Problem = NonNullable<AuditCheck['problem']>;
type Head = NonNullable<AuditCheck['head']>;

const headText = ({ sequence, hash }: Head) => `${sequence}:${hash}`;

const MEANINGS: Readonly<Record<Problem['kind'], string>> = {
  changed: 'was changed after it was chained',
  removed: 'was removed',
  link_removed: 'is no longer linked in the chain',
  not_chained: 'was added later, or its link was removed',
  head_missing: 'is not in the chain: the log was cut off, rebuilt or restored from a backup',
};

function describeProblem({ kind, sequence, entry_id: id }: Problem): string {
  const place = sequence === null ? '' : `sequence ${sequence}`;
  const what = id === null ? `The entry with ${place}` : `The entry ${id}${place && ` (${place})`}`;
  return `${kind === 'head_missing' ? `The expected head, ${place},` : what} ${MEANINGS[kind]}.`;
}

async function verify(session: Session, { expectHead }: { expectHead?: string }): Promise<void> {
  const { auditLog } = session.admin();
  const { head, waiting } = await auditLog.chain(session.call);
  // The links are read first, and then the entries.
  const total = 2 * (head?.sequence ?? 0);
  const problem = await withProgress('checking', session.io.stderr, async (update) => {
    let checked = 0;
    let cursor: string | null = null;
    do {
      const query: Parameters<typeof auditLog.verify>[0] = cursor
        ? { cursor }
        : { ...(expectHead && { expected_head: expectHead }) };
      const page: AuditCheck = await auditLog.verify(query, session.call);
      checked += page.checked;
      update(checked, total);
      if (page.problem) return page.problem;
      cursor = page.next_cursor;
    } while (cursor !== null);
    return null;
  });
  session.show({ head, waiting, problem }, () => {
    if (problem) return describeProblem(problem);
    if (!head) return 'No entry is chained yet.';
    return `No entry was changed or removed: ${head.sequence} entries, ${waiting} waiting.\nhead ${headText(head)}`;
  });
  if (problem) throw new Unsuccessful('Entries of the audit log were changed or removed.');
  if (head)
    session.note('Keep this head elsewhere: --expect-head checks later that it is still in the chain.');
}

/** How much of a file is read for its last line. An entry is smaller. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** The last whole line of a file, null if it has none, and where it ends. A line without an end was cut off by a crash. */
async function lastLine(file: FileHandle): Promise<{ line: string | null; end: number }> {
  const { size } = await file.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const tail = buffer.subarray(0, bytesRead);
  const end = tail.lastIndexOf('\n');
  if (end === -1) return { line: null, end: start };
  const begin = end === 0 ? -1 : tail.lastIndexOf('\n', end - 1);
  return { line: tail.toString('utf8', begin + 1, end), end: start + end + 1 };
}

function parseLink(line: string): Pick<ChainedAuditEntry, 'sequence' | 'hash'> | null {
  try {
    const { sequence, hash } = JSON.parse(line) ?? {};
    return Number.isSafeInteger(sequence) && sequence > 0 && typeof hash === 'string'
      ? { sequence, hash }
      : null;
  } catch {
    return null;
  }
}

/** The sequence after which the file continues. Cuts off an incomplete last line. */
async function whereToContinue(session: Session, file: FileHandle, path: string): Promise<number> {
  const { line, end } = await lastLine(file);
  const { size } = await file.stat();
  if (line === null && end > 0) throw new UsageError(`${path} does not contain exported audit entries.`);
  const last = line === null ? null : parseLink(line);
  if (line !== null && !last)
    throw new UsageError(`The last line of ${path} is not an exported audit entry.`);
  if (last) {
    const { auditLog } = session.admin();
    const page = await auditLog.export.page({ after: last.sequence - 1, limit: 1 }, session.call);
    const stored = page.data[0];
    if (stored?.sequence !== last.sequence || stored.hash !== last.hash) {
      throw new Unsuccessful(
        `The audit log no longer has the last entry of ${path} (sequence ${last.sequence}): it was removed, or ` +
          'the database was restored from a backup. Keep the file, export to another, and run postrider audit verify.',
      );
    }
  }
  if (end < size) await file.truncate(end);
  return last?.sequence ?? 0;
}

async function exportTo(session: Session, { out }: { out: string }): Promise<void> {
  // Entries have names and addresses of operators, so only this user may read them.
  const file = await open(out, 'a+', 0o600);
  let written = 0;
  try {
    const after = await whereToContinue(session, file, out);
    const { auditLog } = session.admin();
    let query: Parameters<typeof auditLog.export.page>[0] | null = { after, limit: 100 };
    while (query) {
      const page: Page<ChainedAuditEntry> = await auditLog.export.page(query, session.call);
      const lines = page.data.map((entry) => `${JSON.stringify(entry)}\n`);
      await file.appendFile(lines.join(''));
      written += lines.length;
      query = page.next_cursor === null ? null : { cursor: page.next_cursor, limit: 100 };
    }
    await file.sync();
  } finally {
    await file.close();
  }
  session.show({ file: out, written }, () => `${written} entries written to ${out}`);
}

const COLUMNS = ['created_at', 'actor', 'actor_kind', 'action', 'resource_id', 'address', 'reason'];

const FILTERS = [
  fieldOption('--tenant <id>', 'of this tenant, ten_…', { field: 'tenant_id' }),
  fieldOption('--environment <id>', 'of this environment, env_…', { field: 'environment_id' }),
  fieldOption('--resource-type <type>', 'of this kind, such as channel'),
  fieldOption('--resource <id>', 'of this resource', { field: 'resource_id' }),
  fieldOption('--by <actor>', 'by this actor', { field: 'actor' }),
  fieldOption('--action <action>', 'such as channel.updated'),
  fieldOption('--after <time>', 'at or after, such as 2026-11-21T00:00:00Z', { field: 'created_after' }),
  fieldOption('--before <time>', 'before', { field: 'created_before' }),
];

/** `postrider audit-log`, who changed what, and `postrider audit`, its hash chain. */
export function addAudit(program: SessionCommand): void {
  program
    .add('audit-log', 'who changed what, newest first; with --json also before and after')
    .inPages()
    .addFields(FILTERS)
    .examples({
      'postrider audit-log --action channel.updated --environment env_01…': 'Who changed a channel?',
      "postrider audit-log --resource chn_01… --json | jq '.data[] | {before, after}'":
        'What were the values before and after?',
    })
    .runs(listOf({ columns: COLUMNS, filters: FILTERS }, (session) => session.admin().auditLog));
  const group = program.add('audit', 'check and export the audit log; audit-log lists it');
  group
    .add('verify', 'find the first entry that was changed or removed; exit code 1 if there is one')
    .option('--expect-head <sequence:hash>', 'a head from an earlier run, which must still be in the chain')
    .examples({ 'postrider audit verify --expect-head 1042:5c4f…': 'Nothing up to this head was changed.' })
    .runs(verify);
  group
    .add('export', 'append the entries to a file as JSON lines, in the order of the chain')
    .requiredOption('--out <file>', 'the file; an existing one is continued after its last entry')
    .examples({ 'postrider audit export --out audit.jsonl': 'Every night: add the new entries.' })
    .runs(exportTo);
  group.add('head', 'the end of the hash chain, and how many entries wait for it').shows(
    (session) => session.admin().auditLog.chain(session.call),
    (chain, style) => report({ ...chain, head: chain.head && headText(chain.head) }, style),
  );
}
