import { type Database, readInEnvironments, listMessages as readPage } from '@postrider/db';
import type { Operation } from '../http/protected-route.ts';
import { ok } from '../http/reply.ts';
import { formatCursor } from '../paging/cursor.ts';
import { queryOf } from '../paging/query.ts';
import { READ } from '../pipeline/traits.ts';
import { invalid } from '../validation/parse-body.ts';
import { parseListQuery } from './list-query.ts';
import { presentMessage } from './present.ts';

/** GET /api/v1/messages: the environment's messages, newest first, by keyset. */
export function listMessages({ db }: { db: Database }): Operation {
  return {
    method: 'GET',
    path: '/api/v1/messages',
    traits: READ,
    run: async ({ http, snapshot }) => {
      const parsed = parseListQuery(queryOf(http.originalUrl));
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const environmentId = snapshot.environment.id;
      const page = await readInEnvironments(db, [environmentId], (tx) =>
        readPage(tx, { environmentId, ...parsed.query }),
      );
      return ok({
        data: page.messages.map(presentMessage),
        has_more: page.nextAfter !== null,
        next_cursor: page.nextAfter && formatCursor(page.nextAfter),
      });
    },
  };
}
