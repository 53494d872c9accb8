import { createService, type Service } from '@postrider/local-stack/testing';
import { preloading } from './preload.ts';
import { shiftedClock } from './shifted-clock.ts';

/**
 * Prepares `count` processes of an app, on ports and, in turn, with clocks of their own, that load `preload` before
 * anything else.
 */
export async function createServices(
  app: 'api' | 'worker',
  count: number,
  env: NodeJS.ProcessEnv,
  { clockOffsetsMs = [], preload = null }: { clockOffsetsMs?: readonly number[]; preload?: string | null },
): Promise<Service[]> {
  const services: Service[] = [];
  for (let number = 1; number <= count; number += 1) {
    const clock = shiftedClock(clockOffsetsMs[(number - 1) % clockOffsetsMs.length] ?? 0);
    const name = `${app} ${number}`;
    const service = {
      app,
      name,
      env: { ...env, ...preloading([clock, preload]) },
      started: '/healthz',
      restarts: true,
    } as const;
    services.push(await createService(service));
  }
  return services;
}
