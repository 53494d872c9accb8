/**
 * Node.js' arguments for the API and the worker, the same in the images (docker/Dockerfile) and wherever they are
 * started as in production. V8 lets garbage grow to several times what is in use before it looks for it: with
 * these it looks sooner, which keeps a busy API at 220 MiB in place of 360 to 440 at the same rate
 * (docs/performance.md). They bound nothing: what is in use may grow as ever.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--heap-growing-percent=50', '--initial-old-space-size=80'];
