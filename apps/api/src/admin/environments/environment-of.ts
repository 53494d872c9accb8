import { type EnvironmentRecord, readEnvironment, type UnboundDatabase } from '@postrider/db';
import { type AdminRequest, idOf } from '../operation.ts';

/** The environment in the path of a request; null when there is none, or the id is of something else. */
export async function environmentOf(
  db: UnboundDatabase,
  request: AdminRequest,
): Promise<EnvironmentRecord | null> {
  const id = idOf(request, 'env', 'environmentId');
  return id === null ? null : readEnvironment(db, id);
}
