import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from '../../process-lock.mjs';

interface Slot {
  readonly directory: string;
  release(): Promise<void>;
}

/** More copies than anybody runs of one clone. */
const MOST_SLOTS = 32;

/**
 * Takes the first directory of `.local/1`, `.local/2`, … that no other running copy has. The claim ends with this
 * process, so the next start finds the data of the last one again.
 */
export async function takeSlot(localDirectory: string): Promise<Slot> {
  await mkdir(localDirectory, { recursive: true, mode: 0o755 });
  for (let number = 1; number <= MOST_SLOTS; number += 1) {
    const held = await tryLock(localDirectory, `slot-${number}`);
    if (!held) continue;
    const directory = join(localDirectory, String(number));
    await mkdir(directory, { recursive: true, mode: 0o755 });
    return { directory, release: held.release };
  }
  throw new Error(`${MOST_SLOTS} copies of this checkout are running already.`);
}
