import type { ChannelKind } from './channel-kinds.ts';

/**
 * What storing, claiming and scheduling runs needs to know about a channel kind: plain data, which statements get as
 * parameters. The rest of a kind is its definition in `@postrider/channels`, which contains these facts.
 */
export interface KindFacts {
  /** Lower case; stored with channels, templates and runs, and part of the name of a queue in Redis. */
  readonly kind: ChannelKind;
  /** Time limit of an attempt in milliseconds, if the config sets none. */
  readonly defaultTimeoutMs: number;
  /** The most deliveries of one channel that a process sends at once; unlimited if left out. */
  readonly maxConcurrentPerChannel?: number;
  /** Whether an event is refused if it has no active template of this kind. */
  readonly requiresTemplate: boolean;
  /** Fields that the recipient of an event must have. */
  readonly recipientFields: readonly string[];
  /**
   * The recipient's field that the suppression list is checked for. A run with a suppressed value ends as
   * `recipient_suppressed`. Kinds without this field are never suppressed.
   */
  readonly suppressibleField?: string;
  /**
   * Credentials that are rotated together with the generated secret, if they are set. `previous` keeps the old value
   * during the overlap, because receivers treat them as one secret.
   */
  readonly rotatedCredentials?: readonly { readonly name: string; readonly previous: string }[];
}

const JSON_KIND = { defaultTimeoutMs: 15_000, requiresTemplate: false, recipientFields: [] } as const;

/** The facts of the service's kinds, in alphabetical order. */
export const KIND_FACTS = {
  // An AMQP channel of the connection for each delivery.
  amqp: { ...JSON_KIND, kind: 'amqp', maxConcurrentPerChannel: 16 },
  email: {
    kind: 'email',
    defaultTimeoutMs: 60_000,
    // Connections: servers allow a client some tens of them, which several processes share.
    maxConcurrentPerChannel: 10,
    requiresTemplate: true,
    recipientFields: ['email'],
    suppressibleField: 'email',
  },
  // A producer id of the cluster for each delivery.
  kafka: { ...JSON_KIND, kind: 'kafka', maxConcurrentPerChannel: 16 },
  sqs: { ...JSON_KIND, kind: 'sqs' },
  webhook: {
    ...JSON_KIND,
    kind: 'webhook',
    rotatedCredentials: [{ name: 'signing_key', previous: 'previous_signing_key' }],
  },
} as const satisfies Readonly<Record<ChannelKind, KindFacts>>;

/** {@link KIND_FACTS} as a list. */
export const SERVICE_KINDS: readonly KindFacts[] = Object.values(KIND_FACTS);
