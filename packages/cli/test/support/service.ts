import { randomBytes } from 'node:crypto';
import {
  createFixture,
  createTestDatabase,
  type FixtureInput,
  type TestDatabase,
} from '@postrider/db/testing';
import { createSecretBox, type EncryptionKey } from '@postrider/domain';
import { afterAll, beforeAll } from '@postrider/testing';
import { type ServiceHere, startServiceHere } from '../../../../apps/api/test/support/service.ts';
import { type Finished, postrider, type RunOptions } from './command-line.ts';

/**
 * A service of its own for the tests of a file, and the command line set up for it. With `newKey`, what fixtures
 * store is under an older encryption key.
 */
export function useService({ worker = false, newKey = false } = {}) {
  const key = randomBytes(32);
  let database: TestDatabase | undefined;
  let service: ServiceHere | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    const keys = [
      ...(newKey ? [`new:${randomBytes(32).toString('base64')}`] : []),
      `test:${key.toString('base64')}`,
    ];
    const env = { ENCRYPTION_KEYS: keys.join(',') };
    service = await startServiceHere({ database, env, worker });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  const environment = () => ({ POSTRIDER_URL: service?.url ?? '', ADMIN_TOKEN: service?.adminToken ?? '' });
  return {
    environment,
    databaseUrl: () => database?.url ?? '',
    /** Runs a command line as an operator of this service. */
    postrider: (args: readonly string[], run: RunOptions = {}): Promise<Finished> =>
      postrider(args, { ...run, env: { ...environment(), ...run.env } }),
    /** An environment that is there without the command line, with secrets under this key; by default the service's. */
    fixture: (input: FixtureInput, under: EncryptionKey = { id: 'test', key }) => {
      if (!database) throw new Error('the database is there once the tests run');
      return createFixture(database.db, input, createSecretBox([under]));
    },
  };
}
