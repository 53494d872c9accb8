import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate, openDatabase } from '@postrider/db';
import { startPostgres } from '@postrider/local-stack';
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

async function fillTemplate(directory: string): Promise<string> {
  const server = await startPostgres({ directory });
  try {
    await migrate(server.url);
    const db = openDatabase(server.url, { poolSize: 1 });
    await installTransitionLog(db).finally(() => db.$disconnect());
  } finally {
    await server.stop();
  }
  return server.directory;
}

/** Makes the template. The copies lie inside it, where the account that Postgres runs as can reach them. */
export async function createClusterTemplate(): Promise<ClusterTemplate> {
  const wanted = await mkdtemp(join(tmpdir(), 'postrider-faults-'));
  const template = await fillTemplate(wanted);
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
    async remove() {
      await rm(template, { recursive: true, force: true });
      await rm(wanted, { recursive: true, force: true });
    },
  };
}
