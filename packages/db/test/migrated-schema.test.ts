import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { INDEXES, lines, query, withEmptyDatabase } from './support-databases.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const COLUMNS = `
  SELECT table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || COALESCE(column_default, '') AS line
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
   WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations' ORDER BY 1`;
let started: Promise<void> | undefined;

async function startEngine(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const imports: WebAssembly.ModuleImports = { ...engineModule };
  // Its timers outlive its work by 10 s.
  for (const name of Object.keys(imports).filter((each) => each.startsWith('__wbg_setTimeout_'))) {
    imports[name] = (callback: () => void, ms: number) => setTimeout(callback, ms >>> 0).unref();
  }
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': imports });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/** The schema that Prisma would make from schema.prisma alone. */
async function applySchemaFile(url: string): Promise<void> {
  const path = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url));
  const files = [{ path: 'schema.prisma', content: await readFile(path, 'utf8') }];
  started ??= startEngine();
  await started;
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: url, max: 1 }));
  const engine = await engineModule.SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  engine.free();
  await query(url, stdout ?? '');
}

it('migrations create the tables of schema.prisma, and only documented indexes besides', async () => {
  await withEmptyDatabase(database.url, async (url) => {
    await applySchemaFile(url);
    expect(await lines(database.url, COLUMNS)).toEqual(await lines(url, COLUMNS));
    const described = new Set(await lines(url, INDEXES));
    const beyond = (await lines(database.url, INDEXES)).filter((line) => !described.delete(line));
    expect([...described]).toEqual([]);
    expect(beyond.map((line) => /INDEX (\w+)/.exec(line)?.[1])).toEqual([
      'attempts_lookup',
      'attempts_open',
      'attempts_provider_message',
      'channel_health_failing',
      'channel_health_paused',
      'channel_health_releasing',
      'channel_health_unsettled',
      'channels_broker_certificates',
      'channels_certificates',
      'channels_ending',
      'channels_limited',
      'channels_list',
      'channels_names',
      'channels_names_anywhere',
      'channels_of_consumers',
      'channels_of_environment',
      'channels_operational',
      'channels_previous_secrets',
      'consumer_usage_months',
      'consumers_ids_anywhere',
      'consumers_list',
      'consumers_names',
      'consumers_names_anywhere',
      'delivery_runs_erred',
      'delivery_runs_errors',
      'delivery_runs_held',
      'delivery_runs_limited',
      'delivery_runs_lost_workers',
      'delivery_runs_open',
      'delivery_runs_ordered',
      'delivery_runs_postponed',
      'delivery_runs_replaying_since',
      'delivery_runs_replays',
      'delivery_runs_tests',
      'delivery_runs_unplaced',
      'environment_attention_needy',
      'erasures_open',
      'message_keys_values',
      'messages_of_consumers',
      'messages_recipient_id',
      'messages_recipients',
      'messages_requests',
      'messages_tests',
      'operational_events_completed',
      'operational_events_waiting',
      'ordering_keys_blocked',
      'replay_batches_of_consumers',
      'replay_batches_recipient',
      'stats_complaints',
      'stats_render_failures',
      'suppressions_expiry',
      'template_versions_keys_anywhere',
      'tokens_ending',
      'tokens_of_consumers',
      'operators_email_key',
      'replay_batches_one_open',
      'template_parts_active_key',
      'template_versions_one_active',
    ]);
  });
});
