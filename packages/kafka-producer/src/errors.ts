/**
 * Why a record was not confirmed.
 *
 * - `ADDRESS_REFUSED`: `connect` refused the address of a broker. Nothing was sent.
 * - `CONNECTION_FAILED`: no broker could be used. Nothing was sent.
 * - `LOGIN_FAILED`: the broker refused the credentials or could not prove that it knows them. Nothing was sent.
 * - `NOT_AUTHORIZED`: the cluster does not allow this user the topic, the record or a producer id. It was not stored.
 * - `REJECTED`: the cluster refused the record. It was certainly not stored.
 * - `UNCONFIRMED`: the record was sent and may be stored: there was no response, or one that leaves it open.
 */
export type KafkaErrorCode =
  | 'ADDRESS_REFUSED'
  | 'CONNECTION_FAILED'
  | 'LOGIN_FAILED'
  | 'NOT_AUTHORIZED'
  | 'REJECTED'
  | 'UNCONFIRMED';

interface KafkaErrorDetails extends ErrorOptions {
  readonly brokerError?: number | null;
  readonly isFinal?: boolean;
}

/** The error of a send. Its message is one or two sentences, and contains neither credentials nor contents of the record. */
export class KafkaError extends Error {
  override readonly name = 'KafkaError';
  readonly code: KafkaErrorCode;
  /** The error code of Kafka's protocol with which the cluster answered; null if there was none. */
  readonly brokerError: number | null;
  /** Whether the same record will never be taken, such as one that is too large. */
  readonly isFinal: boolean;

  constructor(code: KafkaErrorCode, message: string, details: KafkaErrorDetails = {}) {
    const { brokerError = null, isFinal = false, ...options } = details;
    super(message, options);
    this.code = code;
    this.brokerError = brokerError;
    this.isFinal = isFinal;
  }
}

/**
 * What an error code of the protocol says about a record. `final`: it is refused for good. `permission`: it is refused
 * until somebody changes a permission. `later`: it is certainly not stored now. `unknown`: it may be stored.
 */
type Meaning = 'final' | 'permission' | 'later' | 'unknown';

/**
 * The names and meanings of the error codes that a producer gets. Any other code is `unknown`.
 * @see https://kafka.apache.org/protocol#protocol_error_codes
 */
const BROKER_ERRORS: Readonly<Record<number, readonly [name: string, meaning: Meaning]>> = {
  2: ['CORRUPT_MESSAGE', 'later'],
  3: ['UNKNOWN_TOPIC_OR_PARTITION', 'later'],
  5: ['LEADER_NOT_AVAILABLE', 'later'],
  6: ['NOT_LEADER_OR_FOLLOWER', 'later'],
  // Stored by the leader, but not by the other replicas in time.
  7: ['REQUEST_TIMED_OUT', 'unknown'],
  10: ['MESSAGE_TOO_LARGE', 'final'],
  14: ['COORDINATOR_LOAD_IN_PROGRESS', 'later'],
  15: ['COORDINATOR_NOT_AVAILABLE', 'later'],
  16: ['NOT_COORDINATOR', 'later'],
  17: ['INVALID_TOPIC_EXCEPTION', 'later'],
  18: ['RECORD_LIST_TOO_LARGE', 'final'],
  19: ['NOT_ENOUGH_REPLICAS', 'later'],
  20: ['NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'unknown'],
  29: ['TOPIC_AUTHORIZATION_FAILED', 'permission'],
  31: ['CLUSTER_AUTHORIZATION_FAILED', 'permission'],
  32: ['INVALID_TIMESTAMP', 'later'],
  33: ['UNSUPPORTED_SASL_MECHANISM', 'permission'],
  34: ['ILLEGAL_SASL_STATE', 'permission'],
  35: ['UNSUPPORTED_VERSION', 'later'],
  43: ['UNSUPPORTED_FOR_MESSAGE_FORMAT', 'later'],
  44: ['POLICY_VIOLATION', 'later'],
  45: ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'later'],
  47: ['INVALID_PRODUCER_EPOCH', 'later'],
  49: ['INVALID_PRODUCER_ID_MAPPING', 'later'],
  53: ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'permission'],
  56: ['KAFKA_STORAGE_ERROR', 'unknown'],
  58: ['SASL_AUTHENTICATION_FAILED', 'permission'],
  59: ['UNKNOWN_PRODUCER_ID', 'later'],
  87: ['INVALID_RECORD', 'later'],
  89: ['THROTTLING_QUOTA_EXCEEDED', 'later'],
  90: ['PRODUCER_FENCED', 'later'],
};

/** The name of an error code of the protocol, or its number. */
export const brokerErrorName = (code: number): string => BROKER_ERRORS[code]?.[0] ?? String(code);

const REFUSED = {
  record: 'The broker refused the record',
  topic: 'The cluster has no such topic for this user, or no leader for it at present',
  producer: 'The cluster gives no producer id, so `idempotent` must be false',
} as const;

const CODES: Readonly<Record<Meaning, KafkaErrorCode>> = {
  final: 'REJECTED',
  permission: 'NOT_AUTHORIZED',
  later: 'REJECTED',
  unknown: 'UNCONFIRMED',
};

/**
 * The error of a request that the cluster answered with an error code.
 * @param of the record itself, or the request before it
 */
export function refusal(brokerError: number, of: keyof typeof REFUSED): KafkaError {
  const listed = BROKER_ERRORS[brokerError]?.[1] ?? 'unknown';
  // No error before the record was sent leaves its outcome unknown.
  const meaning = of !== 'record' && listed === 'unknown' ? 'later' : listed;
  const isFinal = meaning === 'final';
  return new KafkaError(CODES[meaning], `${REFUSED[of]} (${brokerErrorName(brokerError)}).`, {
    ...{ brokerError, isFinal },
  });
}
