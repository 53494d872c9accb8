import { Client } from 'pg';
import { sessionConfig } from '../../src/session-settings.ts';
import { LARGE_TABLES } from './grown-database.ts';
import type { SentStatement } from './sent-statements.ts';

/** The most rows of a scan, however large the tables are: a batch of 30, a page of the search, a channel's waiting runs. */
const MAX_ROWS = 2_000;
/** The most rows that a step of a statement passes to the next: far fewer than all pairs of a batch of 30. */
const MAX_OF_STEP = 500;
/** A chunk of a search: at most {@link MAX_ROWS} messages. */
const CHUNK = 'candidate';
/** An entry for each environment with an open bulk replay, however many have ended: it may be read as a whole. */
const SMALL_INDEX = 'replay_batches_one_open';

interface PlanSettings {
  /** For any values, as Postgres keeps a prepared statement's plan, or for these. */
  readonly plan_cache_mode: 'force_generic_plan' | 'force_custom_plan';
  /** `on` where a pooler keeps the settings of the service from its sessions. */
  readonly enable_seqscan: 'off' | 'on';
}

export const GENERIC: PlanSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
const CUSTOM: PlanSettings = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'off' };
/** The session settings of the service. */
export const SERVICE_SETTINGS = [GENERIC, CUSTOM];
export const ALL_SETTINGS = SERVICE_SETTINGS.flatMap((settings): PlanSettings[] => [
  settings,
  { ...settings, enable_seqscan: 'on' },
]);

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Scan extends PlanNode {
  /** Type of the node that asks it for rows. */
  readonly parent: string | null;
}

const nodesOf = (node: PlanNode, parent: string | null = null): Scan[] => [
  { ...node, parent },
  ...(node.Plans ?? []).flatMap((child) => nodesOf(child, node['Node Type'])),
];

const element = (value: unknown) =>
  value === null
    ? 'NULL'
    : `"${(value instanceof Date ? value.toISOString() : String(value)).replace(/["\\]/g, (sign) => `\\${sign}`)}"`;

/** The value in the text form of its type, as the driver sends it. */
function textOf(value: unknown): string | null {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : String(value);
}

export interface Explainer {
  /**
   * What of the statement's plan reads more of a large table than it must; empty for a good one. With
   * `execute` the statement is carried out, and the rows that it reads are counted too.
   */
  readonly findIssues: (
    statement: SentStatement,
    settings: PlanSettings,
    execute: boolean,
  ) => Promise<string[]>;
  /** The rows of all tables that the statement reads when it is carried out by its plan for any values. */
  readonly rowsRead: (statement: SentStatement) => Promise<number>;
  /** The pages of tables and indexes that it then reads, each as often as it is read. */
  readonly pagesRead: (statement: SentStatement) => Promise<number>;
  readonly close: () => Promise<void>;
}

function rowsOf(node: PlanNode): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return each * (node['Actual Loops'] ?? 0);
}

function issueOf(node: Scan): string | null {
  const table = node['Relation Name'] ?? '';
  const type = node['Node Type'];
  const rows = rowsOf(node);
  if (type === 'CTE Scan' && node['CTE Name'] !== CHUNK && rows > MAX_OF_STEP)
    return `${node['CTE Name']}: ${rows} rows of a step`;
  if (!LARGE_TABLES.includes(table) || !type.endsWith('Scan')) return null;
  if (type === 'Seq Scan') return `${table}: sequential scan`;
  const isByIndex = type.startsWith('Index');
  const isSmall = node.parent === 'Limit' || node['Index Name'] === SMALL_INDEX;
  if (isByIndex && node['Index Cond'] === undefined && !isSmall) {
    return `${table}: all of ${node['Index Name']}`;
  }
  return rows > MAX_ROWS ? `${table}: ${rows} rows by ${node['Index Name'] ?? type}` : null;
}

const issuesOf = (plan: PlanNode): string[] => nodesOf(plan).flatMap((node) => issueOf(node) ?? []);

/** Explains statements in a session with the settings of the service's; what they do is rolled back. */
export async function openExplainer(databaseUrl: string): Promise<Explainer> {
  const client = new Client({ connectionString: sessionConfig(databaseUrl).connectionString });
  await client.connect();

  async function explain(explained: string): Promise<PlanNode> {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
    if (!rows[0]) throw new Error('no plan');
    return rows[0]['QUERY PLAN'][0].Plan;
  }

  /** The values as SQL literals. The server decodes those of arrays.ts, which are in the binary format. */
  async function literalsOf({ text, values }: SentStatement): Promise<string[]> {
    const literals: string[] = [];
    for (const [index, value] of values.entries()) {
      const [, arrayType] = new RegExp(`\\$${index + 1}::(\\w+\\[\\])`).exec(text) ?? [];
      const isBinary = arrayType !== undefined && value instanceof Uint8Array;
      const asText = isBinary
        ? (await client.query(`SELECT $1::${arrayType}::text AS text`, [value])).rows[0].text
        : textOf(value);
      literals.push(asText === null ? 'NULL' : client.escapeLiteral(asText));
    }
    return literals;
  }

  async function planOf(
    statement: SentStatement,
    settings: PlanSettings,
    execute: boolean,
  ): Promise<PlanNode> {
    const literals = await literalsOf(statement);
    await client.query('BEGIN');
    try {
      for (const [name, value] of Object.entries(settings))
        await client.query(`SET LOCAL ${name} = ${value}`);
      await client.query(`PREPARE hot AS ${statement.text}`);
      const call = literals.length > 0 ? `hot (${literals.join(', ')})` : 'hot';
      return await explain(`EXPLAIN (ANALYZE ${execute}, BUFFERS ${execute}, FORMAT JSON) EXECUTE ${call}`);
    } finally {
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE ALL');
    }
  }

  return {
    findIssues: async (...asked) => issuesOf(await planOf(...asked)),
    async rowsRead(statement) {
      const nodes = nodesOf(await planOf(statement, GENERIC, true));
      return nodes.reduce((sum, node) => sum + (node['Relation Name'] === undefined ? 0 : rowsOf(node)), 0);
    },
    async pagesRead(statement) {
      const plan = await planOf(statement, GENERIC, true);
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    },
    close: () => client.end(),
  };
}
