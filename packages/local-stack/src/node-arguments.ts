/**
 * V8 collects garbage 8 s after a process has become quiet. With this it does so after one, so that memory is back soon
 * after a burst.
 */
const COLLECT_SOON = '--gc-memory-reducer-start-delay-ms=1000';

/**
 * Bounds the space for new objects to 16 MB a half, as on Node.js 20. From 24 on a half grows to 64 MB under large JSON, and
 * V8 gives it back only when the process is idle: 200 MB that nothing uses.
 */
const SMALL_NURSERY = '--max-semi-space-size=16';

/**
 * V8 lets garbage grow to several times what is in use before it looks for it: with these it looks sooner, which keeps a
 * busy API at some 220 MiB in place of 360 to 440 (docs/performance.md). They bound nothing: what is in use may grow as
 * ever.
 */
const LITTLE_GARBAGE = ['--heap-growing-percent=50', '--initial-old-space-size=80'];

/**
 * Node.js' arguments for the API and the worker, the same in the images (docker/Dockerfile) and wherever they are started
 * as in production. The worker lets garbage grow: it would deliver 8 % less.
 */
export const NODE_ARGUMENTS: Readonly<Record<'api' | 'worker', readonly string[]>> = {
  api: [...LITTLE_GARBAGE, SMALL_NURSERY, COLLECT_SOON],
  worker: [SMALL_NURSERY, COLLECT_SOON],
};
