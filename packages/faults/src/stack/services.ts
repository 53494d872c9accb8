import getPort from 'get-port';
import { createService, type Service } from './service.ts';
import { shiftedClock } from './shifted-clock.ts';

/** The environment that the processes have in common. */
export function environmentWith({
  databaseUrl,
  redisUrl,
  key,
}: {
  databaseUrl: string;
  redisUrl: string;
  key: Buffer;
}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    // Nothing of it is for other machines; and its ports were found free at this address alone.
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: `faults:${key.toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  };
}

/** Prepares so many processes of a kind, on ports and, in turn, with clocks of their own. */
export async function createServices(
  kind: 'api' | 'worker',
  count: number,
  env: NodeJS.ProcessEnv,
  clockOffsetsMs: readonly number[],
): Promise<Service[]> {
  const variable = kind === 'api' ? 'PORT' : 'WORKER_PORT';
  const services: Service[] = [];
  for (let number = 1; number <= count; number += 1) {
    const port = await getPort({ host: '127.0.0.1' });
    const metricsPort = await getPort({ host: '127.0.0.1' });
    services.push(
      createService({
        name: `${kind} ${number}`,
        entry: `apps/${kind}/dist/main.js`,
        port,
        metricsPort,
        env: {
          ...env,
          [variable]: String(port),
          METRICS_PORT: String(metricsPort),
          ...shiftedClock(clockOffsetsMs[(number - 1) % clockOffsetsMs.length] ?? 0),
        },
      }),
    );
  }
  return services;
}
