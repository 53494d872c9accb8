import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import { DatabaseClient, SESSION_LIMITS } from './database-client.ts';

type SchemaEngine = engineModule.SchemaEngine;

/** Shorter than PostgreSQL's `deadlock_timeout` (1 s), so that a migration gives way before a session becomes a victim. */
const LOCK_WAIT_MS = 200;
/** Longer than `deadlock_timeout`: only then does PostgreSQL cancel an autovacuum that has the lock. */
const LONG_LOCK_WAIT_MS = 1_500;
/** One try in this many waits {@link LONG_LOCK_WAIT_MS}. */
const LONG_WAIT_INTERVAL = 10;
/** The pause before a migration is repeated, in which the waiting transactions run. */
const LOCK_PAUSE_MS = { least: 50, most: 250 };
/** How long a migration is repeated before it fails. */
const LOCK_PATIENCE_MS = 300_000;
/** SQLSTATEs of a lock that was not available within `lock_timeout`, and of the victim of a deadlock. */
const LOCK_ERRORS = ['55P03', '40P01'];

/** A migration did not get its locks in time. It left only its record in `_prisma_migrations`. */
export class TablesInUseError extends Error {
  constructor(options: ErrorOptions) {
    super(
      'a migration was rolled back, because long transactions use its tables: end them (pg_stat_activity shows them) and migrate again',
      options,
    );
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

/**
 * Runs a migration without stopping the processes that use its tables. A migration locks several tables in one transaction,
 * in another order than these processes, so the two can deadlock. It therefore waits only {@link LOCK_WAIT_MS} for a lock.
 * Then it is rolled back as a whole and repeated, for up to `patienceMs`. Every tenth try waits longer, to displace an
 * autovacuum. A migration that builds or drops indexes concurrently is not a transaction and does not block writes, so it
 * waits as long as necessary. Its statements are sent one by one, because several that are sent together are a transaction.
 * @throws TablesInUseError after `patienceMs`
 */
async function runMigration(
  query: (script: string) => Promise<unknown>,
  script: string,
  patienceMs: number,
): Promise<void> {
  if (/\bINDEX CONCURRENTLY\b/.test(script)) {
    const statements = script.replaceAll(/^\s*--.*$/gm, '').split(';');
    for (const statement of statements.filter((text) => text.trim() !== '')) await query(statement);
    return;
  }
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    const waitMs = tries % LONG_WAIT_INTERVAL === 0 ? LONG_LOCK_WAIT_MS : LOCK_WAIT_MS;
    try {
      await query(`SET LOCAL lock_timeout = '${waitMs}ms';\n${script}`);
      return;
    } catch (error) {
      if (!LOCK_ERRORS.includes(codeOf(error))) throw error;
      if (performance.now() - began > patienceMs) throw new TablesInUseError({ cause: error });
    }
    await wait(LOCK_PAUSE_MS.least + Math.random() * (LOCK_PAUSE_MS.most - LOCK_PAUSE_MS.least));
  }
}

/**
 * The adapter for the schema engine. It sends a migration as a whole, while the original's `executeScript` splits at
 * every semicolon, also inside function bodies. It also closes its connections: the engine leaves them open with its
 * advisory lock, so that the next process to migrate would wait for the pool's idle timeout.
 */
class SchemaEnginePg extends PrismaPg {
  private readonly adapters: Awaited<ReturnType<PrismaPg['connect']>>[] = [];
  /** Kept here, because the engine replaces it with an error of its own. */
  tablesInUse: TablesInUseError | null = null;
  private readonly patienceMs: number;

  constructor(databaseUrl: string, patienceMs: number) {
    super({
      ...SESSION_LIMITS,
      Client: DatabaseClient,
      connectionString: databaseUrl,
      max: 1,
    });
    this.patienceMs = patienceMs;
  }

  override async connect() {
    const adapter = await super.connect();
    this.adapters.push(adapter);
    adapter.executeScript = async (script) => {
      try {
        await runMigration((whole) => adapter.underlyingDriver().query(whole), script, this.patienceMs);
      } catch (error) {
        if (error instanceof TablesInUseError) this.tablesInUse = error;
        throw error;
      }
    };
    return adapter;
  }

  async close(): Promise<void> {
    await Promise.all(this.adapters.map((adapter) => adapter.dispose()));
  }
}

let started: Promise<void> | undefined;

/**
 * The functions that the engine calls. Its timers outlive its work by 10 s; they are unreferenced, so that no process
 * waits for them.
 */
function engineImports(): WebAssembly.ModuleImports {
  const imports: WebAssembly.ModuleImports = { ...engineModule };
  for (const name of Object.keys(imports)) {
    if (!name.startsWith('__wbg_setTimeout_')) continue;
    imports[name] = (callback: () => void, ms: number) => setTimeout(callback, ms >>> 0).unref();
  }
  return imports;
}

async function startEngine(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': engineImports() });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/**
 * Runs `use` with Prisma's own schema engine (the WebAssembly build from npm) on one database. It writes the same
 * `_prisma_migrations` table as `prisma migrate deploy`, without the engine binary that the Prisma command line
 * downloads.
 * @param patienceMs how long a migration is repeated that does not get its locks; then {@link TablesInUseError} is thrown
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  use: (engine: SchemaEngine) => Promise<T>,
  patienceMs = LOCK_PATIENCE_MS,
): Promise<T> {
  started ??= startEngine();
  await started;
  const connections = new SchemaEnginePg(databaseUrl, patienceMs);
  const factory = bindMigrationAwareSqlAdapterFactory(connections);
  try {
    const engine = await engineModule.SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
    try {
      return await use(engine);
    } catch (error) {
      throw connections.tablesInUse ?? error;
    } finally {
      engine.free();
    }
  } finally {
    await connections.close();
  }
}
