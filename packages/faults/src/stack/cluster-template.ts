import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate, openDatabase } from '@postrider/db';
import { type Cleanup, createCleanup, startPostgres } from '@postrider/local-stack';
import { installTransitionLog } from '../database/transition-log.ts';

/** What a cluster's directory consists of. */
const PARTS = ['data', 'password'];

/**
 * A migrated, empty database cluster that is copied for each stack: making one takes seconds of both cores.
 */
export interface ClusterTemplate {
  /** Makes a copy and returns its directory, for `startPostgres`. */
  copy(): Promise<string>;
  /** Removes the template and every copy. */
  remove(): Promise<void>;
}

const removeDirectory = (directory: string) => rm(directory, { recursive: true, force: true });

/** Returns the directory that the server really uses, which may lie elsewhere. */
async function fillTemplate(directory: string, cleanup: Cleanup): Promise<string> {
  const server = await startPostgres({ directory });
  cleanup.add(() => removeDirectory(server.directory));
  try {
    await migrate(server.url);
    const db = openDatabase(server.url, { poolSize: 1 });
    await installTransitionLog(db).finally(() => db.$disconnect());
  } finally {
    await server.stop();
  }
  return server.directory;
}

async function makeTemplate(cleanup: Cleanup): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-faults-'));
  cleanup.add(() => removeDirectory(directory));
  return fillTemplate(directory, cleanup);
}

/** Makes the template. The copies lie inside it, where the account that Postgres runs as can reach them. */
export async function createClusterTemplate(): Promise<ClusterTemplate> {
  const cleanup = createCleanup((error) => process.stderr.write(`${error}\n`));
  const template = await makeTemplate(cleanup).catch(async (error: unknown) => {
    await cleanup.run();
    throw error;
  });
  let copies = 0;
  return {
    async copy() {
      copies += 1;
      const directory = join(template, `copy-${copies}`);
      await mkdir(directory);
      const parts = PARTS.map((part) => join(template, part));
      // Not fs.cp: it does not keep the owner.
      await promisify(execFile)('cp', ['-a', ...parts, directory]);
      return directory;
    },
    remove: cleanup.run,
  };
}
