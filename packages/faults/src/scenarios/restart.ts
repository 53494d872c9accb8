import type { Service } from '../stack/service.ts';
import type { Context } from './scenario.ts';

/** Stops an API process in order and starts it again, while clients are led to the others. */
export async function restartApi({ outOfRotation }: Context, api: Service): Promise<void> {
  outOfRotation.add(api);
  await api.stop();
  await api.start();
  outOfRotation.delete(api);
}
