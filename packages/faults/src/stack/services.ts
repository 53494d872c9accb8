import { createService, type Service } from '@postrider/local-stack/testing';

/**
 * Replaces `Date` before anything else is loaded. Monotonic time is left alone, as it is on a machine with a
 * wrong clock.
 */
const script = (offsetMs: number) => `
const Right = Date;
globalThis.Date = class Date extends Right {
  constructor(...args) {
    if (args.length === 0) super(Right.now() + ${offsetMs});
    else super(...args);
  }
  static now() {
    return Right.now() + ${offsetMs};
  }
};`;

/** The environment of a Node.js process whose clock is off by so much. */
function shiftedClock(offsetMs: number): NodeJS.ProcessEnv {
  if (offsetMs === 0) return {};
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script(offsetMs))}` };
}

/** Prepares `count` processes of an app, on ports and, in turn, with clocks of their own. */
export async function createServices(
  app: 'api' | 'worker',
  count: number,
  env: NodeJS.ProcessEnv,
  clockOffsetsMs: readonly number[],
): Promise<Service[]> {
  const services: Service[] = [];
  for (let number = 1; number <= count; number += 1) {
    const clock = shiftedClock(clockOffsetsMs[(number - 1) % clockOffsetsMs.length] ?? 0);
    const name = `${app} ${number}`;
    const service = { app, name, env: { ...env, ...clock }, started: '/healthz', restarts: true } as const;
    services.push(await createService(service));
  }
  return services;
}
