import type { JsonObject } from '@postrider/domain';
import { Prisma } from './client.ts';

/** SQL types of columns, with the types of their values. */
interface ColumnTypes {
  text: string;
  jsonb: JsonObject;
  timestamptz: Date;
  bool: boolean;
}

interface MessageField {
  readonly column: string;
  readonly type: keyof ColumnTypes;
  readonly nullable?: true;
  /** Whether an erasure changes the column: to `{}`, or to NULL if it is nullable. */
  readonly isErased?: true;
  /** Whether deliveries need it, so that a claim reads it. */
  readonly isClaimed?: true;
}

/**
 * The stored fields of a message, in the order of their columns. This list drives insert, erasure and claim, and the
 * types of accepted, read and claimed messages. Columns that are not set at insertion are in {@link MANAGED_COLUMNS}.
 */
export const MESSAGE_FIELDS = {
  eventKey: { column: 'event_key', type: 'text', isClaimed: true },
  recipient: { column: 'recipient', type: 'jsonb', isErased: true, isClaimed: true },
  recipientEmail: { column: 'recipient_email', type: 'text', nullable: true, isErased: true },
  payload: { column: 'payload', type: 'jsonb', isErased: true, isClaimed: true },
  scheduleAt: { column: 'schedule_at', type: 'timestamptz', nullable: true },
  /** No attempt of the event's own runs begins after this time. Replays are sent. */
  expiresAt: { column: 'expires_at', type: 'timestamptz', nullable: true, isClaimed: true },
  /** The client may choose it. */
  requestId: { column: 'request_id', type: 'text', nullable: true, isErased: true, isClaimed: true },
  traceId: { column: 'trace_id', type: 'text', isClaimed: true },
  /** Whether the message is a test, which is not counted. */
  test: { column: 'test', type: 'bool', isClaimed: true },
  /** Whether the message is an operational event, which is not counted; null for all others. */
  operational: { column: 'operational', type: 'bool', nullable: true, isClaimed: true },
  /** The stream of its event type when it was accepted; null if it is transactional. */
  stream: { column: 'stream', type: 'text', nullable: true, isClaimed: true },
  ignoreSuppression: { column: 'ignore_suppression', type: 'bool' },
  /** Chosen by the client, who must not put personal data in it. */
  orderingKey: { column: 'ordering_key', type: 'text', nullable: true, isClaimed: true },
  /** The consumer that the event names; null for an event of no consumer. */
  consumerId: { column: 'consumer_id', type: 'text', nullable: true },
} as const satisfies Record<string, MessageField>;

/** Ids and history of a message: columns that neither come with the event nor describe its recipient. */
export const MANAGED_COLUMNS = ['environment_id', 'id', 'replay_count', 'created_at', 'erased_at'] as const;

type Fields = typeof MESSAGE_FIELDS;
type FieldName = keyof Fields;
type ValueOf<F extends MessageField> = ColumnTypes[F['type']] | (F extends { nullable: true } ? null : never);
type FieldsWhere<Condition> = { [N in FieldName]: Fields[N] extends Condition ? N : never }[FieldName];

type StoredFields = { readonly [N in FieldName]: ValueOf<Fields[N]> };
/** The fields of a new message. The statement derives the address from the recipient. */
export type NewMessage = Omit<StoredFields, 'recipientEmail'>;
export type ClaimedFields = Pick<StoredFields, FieldsWhere<{ isClaimed: true }>>;
export type LargeMessageField = FieldsWhere<{ type: 'jsonb' }>;

const FIELDS = Object.entries(MESSAGE_FIELDS) as [FieldName, MessageField][];
const CLAIMED = FIELDS.filter(([, { isClaimed }]) => isClaimed);
/** The claimed fields with the names of their columns in a row of {@link CLAIMED_TEXTS}. */
export const CLAIMED_FROM = CLAIMED.map(([name, { column, type }]) => ({
  name,
  column: `message_${column}`,
  type,
}));

export const LARGE_MESSAGE_FIELDS = FIELDS.filter(([, { type }]) => type === 'jsonb').map(
  ([name]) => name,
) as LargeMessageField[];

/** A stored message as it is read: large fields are JSON texts, because as objects they take up to thirty times as much. */
export type ReadFields = Omit<StoredFields, LargeMessageField> & Readonly<Record<LargeMessageField, string>>;

/** The columns of {@link ReadFields}, by the names of its fields; large fields that are omitted are `{}`. */
export function readColumns(omit: readonly LargeMessageField[] = []): Prisma.Sql {
  const omitted: readonly string[] = omit;
  return Prisma.raw(
    FIELDS.map(([name, { column, type }]) => {
      const value = type === 'jsonb' ? `${column}::text` : column;
      return `${omitted.includes(name) ? "'{}'" : value} AS "${name}"`;
    }).join(', '),
  );
}

type OptionalField = FieldsWhere<{ nullable: true }> | LargeMessageField;
/** Default values of the optional fields, for messages without an event, such as tests. */
export const EMPTY_FIELDS = Object.fromEntries(
  FIELDS.filter(([, { nullable, type }]) => nullable || type === 'jsonb').map(([name, { nullable }]) => [
    name,
    nullable ? null : {},
  ]),
) as unknown as Pick<StoredFields, OptionalField>;

const join = (of: (field: MessageField) => string, fields = FIELDS) =>
  Prisma.raw(fields.map(([, field]) => of(field)).join(', '));

/** `event_key, recipient, …` */
export const MESSAGE_COLUMNS: Prisma.Sql = join(({ column }) => column);
const ERASED = FIELDS.filter(([, { isErased }]) => isErased);
/** The columns that an erasure needs the right to update. */
export const ERASED_COLUMN_NAMES = ERASED.map(([, { column }]) => column);
/** `recipient = '{}', …`: the assignments of an erasure. */
export const ERASED_COLUMNS: Prisma.Sql = join(
  ({ column, nullable }) => `${column} = ${nullable ? 'NULL' : "'{}'"}`,
  ERASED,
);
/** `messages.event_key AS message_event_key, …` */
export const CLAIMED_COLUMNS: Prisma.Sql = join(
  ({ column }) => `messages.${column} AS message_${column}`,
  CLAIMED,
);

/** `message_event_key, …`: the names that {@link CLAIMED_COLUMNS} gives. */
export const CLAIMED_NAMES: Prisma.Sql = join(({ column }) => `message_${column}`, CLAIMED);

/** {@link CLAIMED_NAMES} with JSON as text. */
export const CLAIMED_TEXTS: Prisma.Sql = join(
  ({ column, type }) =>
    type === 'jsonb' ? `message_${column}::text AS message_${column}` : `message_${column}`,
  CLAIMED,
);

/** `unnest(:eventKey::text[]) AS event_key, …`: the parameter of a column has the name of its field. */
export const MESSAGE_ARRAYS = FIELDS.map(
  ([name, { column, type }]) => `unnest(:${name}::${type}[]) AS ${column}`,
).join(', ');
