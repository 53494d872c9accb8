import { presentErasure, readErasure } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** GET /admin/v1/erasures/{erasureId}: an erasure and how far it has come. */
export function getErasure({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/erasures/:erasureId',
    run: async (request) => {
      const id = idOf(request, 'era', 'erasureId');
      const erasure = id && (await readErasure(db, id));
      return erasure ? ok(presentErasure(erasure)) : refuse('erasure_not_found');
    },
  });
}
