import getPort, { portNumbers } from 'get-port';

/** Below the ports that systems assign themselves: Linux begins at 32,768, others at 49,152. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
const PORTS_PER_PROCESS = 400;

/**
 * Chooses a port of this machine for a program that binds it some time later. The system does not give it to a
 * connection meanwhile, another process that chooses by this function looks elsewhere first, and this process never
 * chooses it again: a service that is killed finds its port free when it starts again.
 */
export function chooseFreePort(): Promise<number> {
  const first = FIRST_PORT + ((process.pid * PORTS_PER_PROCESS) % PORTS);
  return getPort({
    host: '127.0.0.1',
    port: portNumbers(first, first + PORTS_PER_PROCESS - 1),
    reserve: true,
  });
}
