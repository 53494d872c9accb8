import { addressHash, type JsonObject } from '@postrider/domain';
import type { ServiceKeySource } from './service-keys.ts';

/** The path of unsubscribe links below `PUBLIC_URL`, before the token. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** The parts of a run that its link depends on. Ids are UUIDs. */
interface RunToUnsubscribe {
  readonly environmentId: string;
  readonly runId: string;
  /** Null if the message is transactional. */
  readonly stream: string | null;
  readonly recipient: JsonObject;
}

export type UnsubscribeUrl =
  | { readonly ok: true; readonly url: string | null }
  /** The run needs a link, but the process has no `PUBLIC_URL`. */
  | { readonly ok: false };

export interface UnsubscribeUrlDeps {
  readonly serviceKeys: ServiceKeySource;
  /** Without a final slash. */
  readonly publicUrl: string | null;
}

/**
 * The link with which a run's recipient leaves its stream, always the same for a run. Null if there is none: the
 * message is transactional, or there is no address that can be suppressed.
 * @param field the kind's `suppressibleField`
 */
export async function unsubscribeUrlOf(
  { serviceKeys, publicUrl }: UnsubscribeUrlDeps,
  { environmentId, runId, stream, recipient }: RunToUnsubscribe,
  field: string | undefined,
): Promise<UnsubscribeUrl> {
  const address = field === undefined ? undefined : recipient[field];
  if (stream === null || typeof address !== 'string') return { ok: true, url: null };
  if (publicUrl === null) return { ok: false };
  const keys = await serviceKeys.get();
  const hash = addressHash(keys.addressHash, environmentId, address);
  const token = keys.links.seal({ environmentId, runId, addressHash: hash, stream });
  return { ok: true, url: `${publicUrl}${UNSUBSCRIBE_PATH}/${token}` };
}
