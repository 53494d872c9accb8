import { type EnvironmentRecord, type NotFoundCode, reject } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { lockEnvironment } from './environments.ts';

/**
 * The version of a template or a part that `read` finds, with its environment. The lock on the environment serialises numbering and
 * activation.
 * @throws RefusedError with `notFound` if there is no such version
 */
export async function lockVersion<Version extends { readonly environmentId: string }>(
  tx: Queryable,
  read: () => Promise<Version | null>,
  notFound: NotFoundCode,
): Promise<{ readonly version: Version; readonly environment: EnvironmentRecord }> {
  const found = await read();
  const environment = found && (await lockEnvironment(tx, found.environmentId));
  const version = environment && (await read());
  return version ? { version, environment } : reject(notFound);
}
