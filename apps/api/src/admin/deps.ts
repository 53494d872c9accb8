import type { ChannelRegistry } from '@postrider/channels';
import type { Actor, ServiceKeySource, UnboundDatabase } from '@postrider/db';
import type { AddressPolicy, IdSource, SecretBox } from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';
import type { Listeners } from '../listeners/listeners.ts';

/** Dependencies of the operations of the management API. */
export interface AdminDeps {
  readonly kinds: ChannelRegistry;
  /** Operators see all environments, and identify most resources by id only. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number;
  readonly secretBox: SecretBox;
  readonly serviceKeys: ServiceKeySource;
  /** The service's address for recipients, without a final slash; null if it is not configured. */
  readonly publicUrl: string | null;
  /** Whether channels of this installation must use https. */
  readonly httpsOnly: boolean;
  /** Which addresses workers with the same EGRESS_ALLOW_CIDRS connect to. */
  readonly isAddressAllowed: AddressPolicy;
  /** Compiles, checks and previews templates. */
  readonly renderer: Renderer;
  /** Best effort: the rows are the outbox. */
  readonly enqueue: Enqueue;
  /** The waiting requests of listeners. */
  readonly listeners: Listeners;
  readonly adminToken: string | null;
  /** Whether the console is enabled. */
  readonly hasConsole: boolean;
}

/** The arguments of an operation: the dependencies, with its caller as the actor of a change. */
export type CallDeps = AdminDeps & { readonly actor: Actor };
