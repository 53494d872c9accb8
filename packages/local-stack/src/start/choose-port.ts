import getPort, { portNumbers } from 'get-port';

/** How far from the usual port a free one is looked for before any will do. */
const RANGE = 100;

/**
 * The port for `variable`: the given one, which must be free, else the first free one from `usual` on.
 * Throws when the given one is no port or is in use.
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
