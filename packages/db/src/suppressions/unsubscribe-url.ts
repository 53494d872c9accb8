import { addressHash, type JsonObject } from '@postrider/domain';
import type { ServiceKeySource } from './service-keys.ts';

/** The path of unsubscribe links below `PUBLIC_URL`; the token follows. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** A run as its link needs it. Ids are UUIDs. */
export interface RunToUnsubscribe {
  readonly environmentId: string;
  readonly runId: string;
  /** Null: transactional. */
  readonly stream: string | null;
  readonly recipient: JsonObject;
}

export type UnsubscribeUrl =
  | { readonly ok: true; readonly url: string | null }
  /** The run needs a link, and the process has no `PUBLIC_URL`. */
  | { readonly ok: false };

export interface UnsubscribeUrlDeps {
  readonly serviceKeys: ServiceKeySource;
  /** Without a slash at its end. */
  readonly publicUrl: string | null;
}

/**
 * The link by which a run's recipient leaves the run's stream: the same whenever it is asked for. Null where there is none: the message
 * is transactional, or its kind or recipient has no address that could be suppressed.
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
