/**
 * By default V8 collects garbage 8 s after a process has become idle. This shortens it to 1 s, so that memory is
 * released soon after a burst.
 */
const COLLECT_SOON = '--gc-memory-reducer-start-delay-ms=1000';

/**
 * Limits a semi-space to 16 MB, as on Node.js 20. Since Node.js 24 it grows to 64 MB with large JSON, and V8 releases
 * it only when the process is idle: 200 MB of unused memory.
 */
const SMALL_NURSERY = '--max-semi-space-size=16';

/**
 * By default V8 collects garbage only when it is several times the used memory. These arguments make it collect sooner,
 * which keeps a busy API at about 220 MiB instead of 360 to 440 (packages/bench/README.md). They do not limit the used
 * memory.
 */
const LITTLE_GARBAGE = ['--heap-growing-percent=50', '--initial-old-space-size=80'];

/**
 * Node.js arguments of the API and the worker, the same in the images (docker/Dockerfile) and wherever the apps are
 * started as in production. The worker does without LITTLE_GARBAGE, with which it delivers 8 % less.
 */
export const NODE_ARGUMENTS: Readonly<Record<'api' | 'worker', readonly string[]>> = {
  api: [...LITTLE_GARBAGE, SMALL_NURSERY, COLLECT_SOON],
  worker: [SMALL_NURSERY, COLLECT_SOON],
};
