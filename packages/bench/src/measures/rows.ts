import type { Client } from 'pg';
import { interleave, type Row, row, type Values } from '../report.ts';
import { withClient } from '../stack/databases.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { deliverEvents } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

/** The write-ahead log of `most` events must fit into what Postgres keeps between two checkpoints. */
const EVENTS = { least: 4_000, most: 20_000 };
const CONNECTIONS = 64;

/** The name of the line for the whole log. */
export const WHOLE_LOG = 'the whole log, for each event';

/** The tables that an event writes to. */
const TABLES = [
  'idempotency_records',
  'messages',
  'delivery_runs',
  'attempts',
  'environment_usage',
  'tenant_usage',
  'channels',
] as const;

/** What was written to one table and its indexes, or to the whole log. */
export interface Written {
  readonly table: string;
  readonly inserts: number;
  /** Heap-only (HOT) updates: they add no index entry and need no vacuum. */
  readonly hot_updates: number;
  readonly other_updates: number;
  readonly locks: number;
  readonly index_entries: number;
  /** Bytes of the log records whose first page belongs to the table or its indexes, without page images. */
  readonly bytes: number;
}

/**
 * The log records between two positions, by table. A record counts for its first page, which is the page of its row
 * or index entry.
 */
const BY_TABLE = `
  WITH block AS (
    SELECT relfilenode, resource_manager || '/' || record_type AS kind,
           record_length - fpi AS bytes
      FROM (SELECT *, sum(COALESCE(block_fpi_length, 0)) OVER (PARTITION BY start_lsn) AS fpi
              FROM pg_get_wal_block_info($1, $2, false)) AS whole
     WHERE block_id = 0 AND reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  ), relation AS (
    SELECT pg_relation_filenode(pg_class.oid) AS relfilenode,
           COALESCE(indrelid, pg_class.oid)::regclass::text AS table
      FROM pg_class LEFT JOIN pg_index ON indexrelid = pg_class.oid
     WHERE COALESCE(indrelid, pg_class.oid) = ANY ($3::text[]::regclass[])
  )
  SELECT relation.table,
         count(*) FILTER (WHERE kind IN ('Heap/INSERT', 'Heap/INSERT+INIT'))::int AS inserts,
         count(*) FILTER (WHERE kind IN ('Heap/HOT_UPDATE', 'Heap/HOT_UPDATE+INIT'))::int AS hot_updates,
         count(*) FILTER (WHERE kind IN ('Heap/UPDATE', 'Heap/UPDATE+INIT'))::int AS other_updates,
         count(*) FILTER (WHERE kind IN ('Heap/LOCK', 'Heap2/LOCK_UPDATED'))::int AS locks,
         count(*) FILTER (WHERE kind IN ('Btree/INSERT_LEAF', 'Btree/INSERT_POST', 'Btree/SPLIT_L', 'Btree/SPLIT_R'))::int
           AS index_entries,
         sum(bytes)::float8 AS bytes
    FROM block JOIN relation USING (relfilenode)
   GROUP BY 1`;

const IN_ALL = `
  SELECT sum(count)::float8 AS records, sum(record_size)::float8 AS bytes, sum(fpi_size)::float8 AS image_bytes,
         sum(count) FILTER (WHERE "resource_manager/record_type" = 'Transaction/COMMIT')::float8 AS commits
    FROM pg_get_wal_stats($1, $2, true)`;

/** The position at which the log on disk ends. */
export async function endOfLog(client: Client): Promise<string> {
  const { rows } = await client.query('SELECT pg_current_wal_flush_lsn()::text AS place');
  return rows[0].place;
}

/** What the client's database wrote between two positions of the log. It needs the extension pg_walinspect. */
export async function writtenByTable(client: Client, from: string, to: string): Promise<Written[]> {
  return (await client.query<Written>(BY_TABLE, [from, to, [...TABLES]])).rows;
}

/** Bytes on disk of each table that an event writes to, and of its indexes. */
const SIZES = `
  SELECT name AS table, pg_table_size(name::regclass)::float8 AS kept, pg_indexes_size(name::regclass)::float8 AS kept_indexes
    FROM unnest($1::text[]) AS name`;

type Sizes = ReadonlyMap<string, { readonly kept: number; readonly kept_indexes: number }>;

async function sizesByTable(client: Client): Promise<Sizes> {
  const { rows } = await client.query(SIZES, [[...TABLES]]);
  return new Map(rows.map(({ table, ...sizes }) => [table, sizes]));
}

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly events: number;
  readonly problems: string[];
}

/** The figures of one round per event, by table; those of the whole log are under `all`. */
type Round = Readonly<Record<string, Values>>;

const perEvent = (figures: object, events: number): Values =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value) / events]));

async function round({ bench, installation, events, problems }: Context): Promise<Round> {
  return withClient(installation.databaseUrl, async (client) => {
    const before = await sizesByTable(client);
    const from = await endOfLog(client);
    const run = await deliverEvents(bench, installation, { events, connections: CONNECTIONS });
    problems.push(...run.problems);
    const to = await endOfLog(client);
    const { rows: all } = await client.query(IN_ALL, [from, to]);
    const tables = await writtenByTable(client, from, to);
    const after = await sizesByTable(client);
    const grown = (table: string, what: 'kept' | 'kept_indexes') =>
      (after.get(table)?.[what] ?? 0) - (before.get(table)?.[what] ?? 0);
    const entries = tables.map(({ table, ...written }) => {
      const kept = { kept: grown(table, 'kept'), kept_indexes: grown(table, 'kept_indexes') };
      return [table, perEvent({ ...written, ...kept }, events)];
    });
    return { all: perEvent(all[0], events), ...Object.fromEntries(entries) };
  });
}

function rowsOf(rounds: readonly Round[]): Row[] {
  const written = TABLES.filter((table) => rounds.some((figures) => figures[table]));
  return ['all', ...written].map((what) =>
    row({
      what: what === 'all' ? WHOLE_LOG : what,
      unit: '',
      rounds: rounds.map((figures) => figures[what] ?? {}),
    }),
  );
}

async function measure(context: Context): Promise<Findings> {
  context.say(`rows: ${context.events} events a round`);
  await round(context);
  const [rounds = []] = await interleave(context.extent.rounds, [() => round(context)]);
  return {
    name: 'rows',
    title: 'What Postgres writes for each event, accepted and delivered by one webhook',
    rows: rowsOf(rounds),
    goals: [],
    problems: context.problems,
    notes: [
      'Read from the write-ahead log (pg_walinspect), with what Postgres writes of its own accord meanwhile. `bytes` ' +
        'are without page images, of which the first change of a page after a checkpoint writes one. `kept` is what the ' +
        'table and its indexes grew by, before any vacuum.',
      'Events came over 64 connections as fast as they were accepted. Batches are smaller, and commits more, at a lower rate.',
    ],
  };
}

/** The cost of an event in Postgres: rows, index entries and bytes of the log. */
export const rows: Measure = {
  name: 'rows',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { sender: deps.sender });
    try {
      await withClient(installation.databaseUrl, (client) => client.query('CREATE EXTENSION pg_walinspect'));
      const events = deps.extent.amount(EVENTS.least, EVENTS.most);
      return await measure({ ...deps, installation, events, problems: [] });
    } finally {
      await installation.close();
    }
  },
};
