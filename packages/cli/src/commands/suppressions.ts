import { ALL_STREAMS, isStreamName, parseTimestamp, toBareAddress } from '@postrider/domain';
import type { SessionCommand } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { inputLines, type Source, sendEntries } from '../input.ts';
import type { Session } from '../session.ts';
import { given } from '../values.ts';

const EXPORTED = ['email', 'scope', 'reason', 'source', 'created_at', 'expires_at'] as const;

/** Entries per request, below its limits of entries and bytes. */
const BATCH_ENTRIES = 200;
const BATCH_BYTES = 128 * 1024;
const MAX_LINE = 4_096;
const MAX_REASON = 500;
/** The most invalid lines that are listed. */
const MAX_NAMED = 20;

/**
 * Parses one line of CSV (RFC 4180) without line breaks in fields. Null if its quotes do not match. The caller limits
 * the length of a line.
 */
export function csvFields(line: string): string[] | null {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const isQuoted = line[at] === '"';
    let end: number;
    if (isQuoted) {
      end = at + 1;
      while (line[end] === '"' ? line[end + 1] === '"' : end < line.length) end += line[end] === '"' ? 2 : 1;
      if (line[end] !== '"') return null;
      fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
      end += 1;
    } else {
      const comma = line.indexOf(',', at);
      end = comma < 0 ? line.length : comma;
      fields.push(line.slice(at, end));
    }
    if (end === line.length) return fields;
    if (line[end] !== ',') return null;
    at = end + 1;
  }
}

/**
 * The apostrophe before a field that a spreadsheet would run as a formula. The export adds it, the import removes it, so a field
 * that begins like a guarded one gets another.
 */
const FORMULA_GUARD = /^'(?='*[=+@\-＝＋＠－\t\r\n])/;

/** A line of CSV, quoted where necessary, which is safe to open in a spreadsheet. */
export function csvLine(fields: readonly (string | null)[]): string {
  const guarded = (field: string) => (FORMULA_GUARD.test(`'${field}`) ? `'${field}` : field);
  const quoted = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  return `${fields.map((field) => quoted(guarded(field ?? ''))).join(',')}\n`;
}

interface Entry {
  readonly email: string;
  readonly scope: string;
  readonly reason?: string;
  readonly expires_at?: string;
}

/** The columns of the fields: by the header, or else email, scope and reason. -1 if there is none. */
type Columns = Readonly<Record<keyof Entry, number>>;
const DEFAULT_COLUMNS: Columns = { email: 0, scope: 1, reason: 2, expires_at: -1 };

function columnsIn(header: readonly string[]): Columns | null {
  const names = header.map((name) => name.trim().toLowerCase());
  if (!names.includes('email')) return null;
  const of = (name: keyof Entry) => names.indexOf(name);
  return { email: of('email'), scope: of('scope'), reason: of('reason'), expires_at: of('expires_at') };
}

/** The entry of a line, or its issue. */
function readEntry(fields: readonly string[] | null, columns: Columns): Entry | string {
  if (!fields) return 'has an unclosed quotation mark';
  const textOf = (name: keyof Entry) => (fields[columns[name]] ?? '').replace(FORMULA_GUARD, '').trim();
  const email = toBareAddress(textOf('email'));
  const scope = textOf('scope') || ALL_STREAMS;
  const reason = textOf('reason') || undefined;
  const expires_at = textOf('expires_at') || undefined;
  if (email === null) return 'has no bare address in the column email';
  if (scope !== ALL_STREAMS && !isStreamName(scope)) return 'has a scope that is neither all nor a stream';
  if (reason && reason.length > MAX_REASON) return `has a reason of more than ${MAX_REASON} characters`;
  if (expires_at && parseTimestamp(expires_at) === null) return 'has no time in the column expires_at';
  return { email, scope, ...given({ reason, expires_at }) };
}

/** The entries of a source. Throws a UsageError that lists the first {@link MAX_NAMED} invalid lines. */
async function* entriesOf(source: Source): AsyncGenerator<Entry> {
  let columns: Columns | null = null;
  const broken: string[] = [];
  for await (const { number, text } of inputLines(source.read())) {
    const line = number === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (line.trim() === '') continue;
    const fields = line.length > MAX_LINE ? null : csvFields(line);
    if (!columns) {
      columns = fields && columnsIn(fields);
      if (columns) continue;
      columns = DEFAULT_COLUMNS;
    }
    const entry =
      line.length > MAX_LINE ? `is longer than ${MAX_LINE} characters` : readEntry(fields, columns);
    if (typeof entry !== 'string') {
      if (broken.length === 0) yield entry;
      continue;
    }
    broken.push(`Line ${number} ${entry}.`);
    if (broken.length === MAX_NAMED) break;
  }
  if (broken.length > 0) throw new UsageError(broken.join('\n'));
}

async function importFile(
  session: Session,
  path: string,
  { environment }: { environment: string },
): Promise<void> {
  const summary = { added: 0, existing: 0 };
  await sendEntries(session, path, {
    doing: 'importing',
    entriesOf,
    most: { entries: BATCH_ENTRIES, bytes: BATCH_BYTES },
    async send(entries, update) {
      const { suppressions } = session.admin();
      const { added, existing } = await suppressions.import(environment, { entries }, session.call);
      summary.added += added;
      summary.existing += existing;
      update(entries.length);
    },
  });
  session.show(summary, ({ added, existing }) => `${added} added, ${existing} already on the list`);
}

/** Writes CSV page by page. Entries without an address cannot be imported, so they are only counted. */
async function exportAll(session: Session, { environment }: { environment: string }): Promise<void> {
  const { stdout } = session.io;
  stdout.write(csvLine(EXPORTED));
  let erased = 0;
  const list = session.admin().suppressions.of(environment);
  for await (const entry of list.all({ limit: 100 }, session.call)) {
    if (entry.email === null) erased += 1;
    else stdout.write(csvLine(EXPORTED.map((name) => entry[name])));
  }
  if (erased > 0) session.note(`${erased} entries were left out, because their address was erased.`);
}

/** `postrider suppressions import` and `export`: the list as CSV. */
export function addSuppressions(program: SessionCommand): void {
  const group = program.add('suppressions', 'addresses to which an environment sends no email');
  group
    .add('import', 'add the addresses of a CSV file to the list; existing entries stay unchanged')
    .needsEnvironment()
    .argument(
      '<file>',
      'with the columns email, scope and reason, or those in its header (also expires_at); - is stdin',
    )
    .examples({
      'postrider suppressions import bounces.csv --environment env_01…':
        'A file with an invalid line changes nothing. The command can be repeated.',
    })
    .runs(importFile);
  group.add('export', 'print the list as CSV, also with --json').needsEnvironment().runs(exportAll);
}
