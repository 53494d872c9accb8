import getPort, { clearLockedPorts, portNumbers } from 'get-port';

/** How many ports from the usual one on are tried before any free port is taken. */
const RANGE = 100;

async function checkPort(variable, given) {
  const wanted = Number(given);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
    throw new Error(`${variable}=${given} is not a port: give a number from 1 to 65535.`);
  }
  if ((await getPort({ port: wanted })) !== wanted) {
    throw new Error(
      `${variable}=${given}: this port is in use. Give another one, or none to have one chosen.`,
    );
  }
  return wanted;
}

export async function choosePort(variable, given, usual) {
  return given ? checkPort(variable, given) : getPort({ port: portNumbers(usual, usual + RANGE) });
}

export async function checkPorts({ PORT, WORKER_PORT, METRICS_PORT }) {
  if (PORT) await checkPort('PORT', PORT);
  if (WORKER_PORT) await checkPort('WORKER_PORT', WORKER_PORT);
  if (METRICS_PORT && METRICS_PORT !== 'off') await checkPort('METRICS_PORT', METRICS_PORT);
  // They are chosen again when they are needed, and get-port returns none twice within 15 s.
  clearLockedPorts();
}
