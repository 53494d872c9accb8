import { join } from 'node:path';
import { type Binary, cacheDirectoryOf, fetchDebian, findOnPath } from '@postrider/rig/servers';

export type RedisBinary = Binary;

// The server is a link to a program of redis-tools.
const REDIS_SERVER = {
  packageName: 'redis-server',
  command: 'usr/bin/redis-server',
  unpack: /^redis-(?:server|tools)$/,
};

/** The cache directory. All clones of an account share it, so only the first one downloads. */
export function redisCacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return join(cacheDirectoryOf(env), 'redis');
}

const HOW_TO_INSTALL = [
  'No Redis was found and none could be fetched. Any one of these helps:',
  '  - install it: "apt-get install redis-server", "dnf install redis", "brew install redis"',
  '  - start one (6.2 or newer), for example in a container, and set REDIS_URL',
].join('\n');

/**
 * Finds a Redis to run: on the PATH, otherwise the copy in `cacheDirectory`. On Debian and Ubuntu it otherwise downloads
 * and unpacks the distribution's packages there, without changing anything on the system.
 */
export async function findRedis({
  path = process.env.PATH ?? '',
  cacheDirectory = redisCacheDirectory(),
}: {
  path?: string;
  cacheDirectory?: string;
} = {}): Promise<RedisBinary> {
  const installed = await findOnPath(path, ['redis-server', 'valkey-server']);
  if (installed) return { command: installed, libraryPath: [] };
  const fetched = await fetchDebian(REDIS_SERVER, cacheDirectory);
  if (fetched.ok) return fetched.value;
  throw new Error(`${HOW_TO_INSTALL}\n(${fetched.reason})`);
}
