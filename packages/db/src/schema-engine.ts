import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';

type SchemaEngine = engineModule.SchemaEngine;

/**
 * The adapter for the schema engine. It sends a migration as a whole, while the original's `executeScript` splits at
 * every semicolon, also inside function bodies. It also closes its connections: the engine leaves them open with its
 * advisory lock, so that the next process to migrate would wait for the pool's idle timeout.
 */
class SchemaEnginePg extends PrismaPg {
  private readonly adapters: Awaited<ReturnType<PrismaPg['connect']>>[] = [];

  override async connect() {
    const adapter = await super.connect();
    this.adapters.push(adapter);
    adapter.executeScript = async (script) => {
      await adapter.underlyingDriver().query(script);
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
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  started ??= startEngine();
  await started;
  const connections = new SchemaEnginePg({ connectionString: databaseUrl, max: 1 });
  const factory = bindMigrationAwareSqlAdapterFactory(connections);
  try {
    const engine = await engineModule.SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
    try {
      return await use(engine);
    } finally {
      engine.free();
    }
  } finally {
    await connections.close();
  }
}
