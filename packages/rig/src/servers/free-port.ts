import getPort, { portNumbers } from 'get-port';

/** Below the ports that systems assign themselves: from 32,768 on Linux, from 49,152 elsewhere. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
const PORTS_PER_PROCESS = 400;

/**
 * Chooses a port of this machine for a program that will bind it later. The system does not assign it to a connection
 * meanwhile, other processes that call this function start at another port, and this process never chooses it again. So
 * a service that is killed finds its port free when it restarts.
 */
export function chooseFreePort(): Promise<number> {
  const first = FIRST_PORT + ((process.pid * PORTS_PER_PROCESS) % PORTS);
  return getPort({
    host: '127.0.0.1',
    port: portNumbers(first, first + PORTS_PER_PROCESS - 1),
    reserve: true,
  });
}
