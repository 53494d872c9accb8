import { isWithin, readOwner, seesTenant, type UnboundDatabase } from '@postrider/db';
import { refuse, reject } from '@postrider/domain';
import { concernsInstallation } from '../openapi/operation.ts';
import type { PathParameter } from '../openapi/parameters.ts';
import type { OperationRequest } from '../pipeline/stage.ts';

export const WHOLE_INSTALLATION = refuse('forbidden', {
  message: 'This is about the whole installation, and you are bound to some tenants or environments.',
});

/** The id of a row that never exists, with the prefix of this one: every such row has a UUIDv7. */
const nowhere = (id: string) => `${id.slice(0, id.indexOf('_'))}_${'0'.repeat(26)}`;

/**
 * Keeps the parameters of a path within the bounds of the caller: an id outside of them becomes one that does not exist, so that the
 * operation answers exactly as for any other unknown id.
 * @throws RefusedError for an operation on the whole installation
 */
export async function keepWithinBounds(
  db: UnboundDatabase,
  request: Pick<OperationRequest, 'bounds' | 'operation' | 'params'>,
): Promise<void> {
  const { bounds, operation, params } = request;
  if (bounds === null) return;
  if (concernsInstallation(operation)) reject(WHOLE_INSTALLATION);

  async function isVisible({ owner }: PathParameter, id: string): Promise<boolean> {
    if (owner === 'environment of the path' || owner === 'installation') return true;
    if (owner === 'tenant') {
      // The names of a tenant are around those of its environments, but only the whole tenant can be changed.
      return operation.method === 'get' && bounds
        ? seesTenant(db, bounds, id)
        : Boolean(bounds?.tenantIds.includes(id));
    }
    const found = await readOwner(db, owner, id);
    return bounds !== null && found !== null && isWithin(bounds, found);
  }

  const visible: Record<string, string> = { ...params };
  for (const parameter of operation.parameters) {
    if (!('parse' in parameter)) continue;
    const text = params[parameter.name] ?? '';
    const id = parameter.parse(text);
    if (id !== null && !(await isVisible(parameter, id))) visible[parameter.name] = nowhere(text);
  }
  request.params = visible;
}
