import { createService, type Service } from '@postrider/local-stack/testing';

/**
 * A script that shifts the clock of a Node.js process; null for an offset of 0. Like a wrong machine clock, it changes
 * `Date` and leaves monotonic time alone.
 */
function shiftedClock(offsetMs: number): string | null {
  if (offsetMs === 0) return null;
  return `
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
}

/** The environment of a Node.js process that loads these scripts first. They can only import Node.js' own modules. */
function preloading(scripts: readonly (string | null)[]): NodeJS.ProcessEnv {
  const imports = scripts
    .filter((script) => script !== null)
    .map((script) => `--import=data:text/javascript,${encodeURIComponent(script)}`);
  return imports.length > 0 ? { NODE_OPTIONS: imports.join(' ') } : {};
}

interface ServicesOptions {
  /** The clock offsets of the processes, used in turn, in milliseconds. */
  readonly clockOffsetsMs?: readonly number[];
  /** A script that each process loads before anything else. */
  readonly preload?: string | null;
}

/** Prepares `count` processes of an app, each with its own port. */
export async function createServices(
  app: 'api' | 'worker',
  count: number,
  env: NodeJS.ProcessEnv,
  { clockOffsetsMs = [], preload = null }: ServicesOptions,
): Promise<Service[]> {
  const services: Service[] = [];
  for (let number = 1; number <= count; number += 1) {
    const clock = shiftedClock(clockOffsetsMs[(number - 1) % clockOffsetsMs.length] ?? 0);
    services.push(
      await createService({
        app,
        name: `${app} ${number}`,
        env: { ...env, ...preloading([clock, preload]) },
        started: '/healthz',
        restarts: true,
      }),
    );
  }
  return services;
}
