import { type OpenedDatabase, openPooledDatabase, type UnboundDatabase } from '@postrider/db';
import {
  createFixture,
  createTestDatabase,
  type FixtureInput,
  type TestDatabase,
} from '@postrider/db/testing';
import { afterAll, beforeAll } from '@postrider/testing';
import type { AppDeps } from '../../src/app.ts';
import { POOL_SHARES } from '../../src/compose.ts';
import { startApi, type TestApi } from './api.ts';

export const WEBHOOK = {
  kind: 'webhook',
  name: 'Shop',
  config: { url: 'https://hooks.example.com/in' },
} as const;

export const EMAIL = {
  kind: 'email',
  name: 'Mail',
  config: {
    smtp: { host: 'smtp.example.com', port: 587, secure: false },
    from: { email: 'shop@example.com' },
  },
} as const;

export const EMAIL_TEMPLATE = {
  eventKey: 'order.shipped',
  channelKind: 'email',
  subject: 'Shipped',
  html: '<p>Shipped</p>',
  text: null,
  activate: true,
} as const;

/**
 * A database and one API on it for the tests of a file; `more()` starts another API process on the same
 * database.
 */
export function useApi(overrides: Partial<AppDeps> = {}) {
  let database: TestDatabase | undefined;
  let restricted: OpenedDatabase | undefined;
  const apis: TestApi[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    restricted = openPooledDatabase(database.urlFor('postrider_api'), { shares: POOL_SHARES });
    apis.push(await startApi(restricted.db, overrides));
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await restricted?.db.$disconnect();
    await database?.drop();
    // The module stays loaded, but the files after it in this process need the memory.
    apis.length = 0;
    restricted = undefined;
    database = undefined;
  });

  /** As the owner of the tables: a test sees all of them. */
  function db(): UnboundDatabase {
    if (!database) throw new Error('the database is there once the tests run');
    return database.db;
  }
  return {
    db,
    url: () => database?.urlFor('postrider_api') ?? '',
    api: () => apis[0] as TestApi,
    /** The connections of its APIs, and the statements that wait for one. */
    poolUse: () => restricted?.poolUse() ?? { max: 0, inUse: 0, idle: 0, waiting: 0 },
    /** `port` is chosen by the system by default. */
    more: async (own: Partial<AppDeps> = {}, port = 0) => {
      if (!restricted) throw new Error('the API is there once the tests run');
      const api = await startApi(restricted.db, own, port);
      apis.push(api);
      return api;
    },
    /** An environment with one webhook channel unless the input says otherwise. */
    environment: (input: FixtureInput = {}) => createFixture(db(), { channels: [WEBHOOK], ...input }),
  };
}
