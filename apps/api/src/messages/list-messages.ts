import { type Database, readInEnvironments } from '@postrider/db';
import type { Operation } from '../http/protected-route.ts';
import { queryOf } from '../paging/query.ts';
import { READ_PAGE } from '../pipeline/traits.ts';
import { invalid } from '../validation/parse-body.ts';
import { parseListQuery } from './list-query.ts';
import { messagePage } from './message-page.ts';

/** GET /api/v1/messages: the environment's messages, newest first, by keyset. */
export function listMessages({ db }: { db: Database }): Operation {
  return {
    method: 'GET',
    path: '/api/v1/messages',
    traits: READ_PAGE,
    run: async ({ http, snapshot }) => {
      const parsed = parseListQuery(queryOf(http.originalUrl));
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const environmentId = snapshot.environment.id;
      return readInEnvironments(db, [environmentId], (tx) =>
        messagePage(tx, { environmentId, ...parsed.query }),
      );
    },
  };
}
