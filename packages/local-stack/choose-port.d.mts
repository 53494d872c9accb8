/**
 * Chooses the port for `variable`: the given one, which must be free, otherwise the first free one from `usual` on.
 * Rejects if the given one is not a port or is in use.
 */
export function choosePort(variable: string, given: string | undefined, usual: number): Promise<number>;

/** Rejects if PORT, WORKER_PORT or METRICS_PORT is given and is not a port, is in use, or is that of another one. */
export function checkPorts(env: NodeJS.ProcessEnv): Promise<void>;
