import getPort, { portNumbers } from 'get-port';

/** How many ports from the usual one on are tried before any free port is taken. */
const RANGE = 100;

/**
 * Chooses the port for `variable`: the given one, which must be free, otherwise the first free one from `usual` on.
 * Rejects if the given one is not a port or is in use.
 */
export async function choosePort(
  variable: string,
  given: string | undefined,
  usual: number,
): Promise<number> {
  if (given === undefined || given === '') return getPort({ port: portNumbers(usual, usual + RANGE) });
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
