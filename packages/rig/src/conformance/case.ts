/** How the server answers one request of a case. README.md describes the steps. */
export type Step =
  | 'cut'
  | 'hang'
  | { readonly accept: true }
  | {
      readonly refuse: readonly [number, string];
      readonly headers?: HeaderFields;
      readonly details?: unknown;
    }
  | { readonly batch: Readonly<Record<string, BatchResult>> }
  | {
      /** The text of an event stream, then its end, a lost connection, or silence. */
      readonly stream: string;
      readonly then: 'end' | 'cut' | 'stay';
      /** Every byte is sent for itself. */
      readonly in_pieces?: true;
    }
  | {
      readonly status: number;
      readonly headers?: HeaderFields;
      /** Sent as JSON. */
      readonly body?: unknown;
      /** Sent instead of `body`, unchanged. */
      readonly text?: string;
      /** Only half of the body is sent: then the connection is closed, or nothing follows. */
      readonly half?: 'cut' | 'hang';
      /** The second half of the body comes a moment after the first. */
      readonly slow?: true;
    };

export type HeaderFields = Readonly<Record<string, string | { readonly $date_in_s: number }>>;

/** The result of one event of a batch. */
export interface BatchResult {
  readonly status: number;
  readonly code?: string;
  readonly retry_after?: number;
  readonly idempotent_replayed?: boolean;
  /** Instead of the accepted event. */
  readonly body?: null;
}

/** What a client is asked to do: the name of a call and its arguments. */
export type Call = { readonly call: string } & Readonly<Record<string, unknown>>;

/** What must hold after the calls. All parts are optional. */
export interface Expectation {
  /** Each request, in order, or how many there are. */
  readonly requests?: number | readonly unknown[];
  /** Whether all requests have one Idempotency-Key, or each its own. Every key is a UUID. */
  readonly keys?: 'one' | 'own';
  /** All requests have the same bytes. */
  readonly bodies?: 'same';
  /** Milliseconds that pass at least between a request, which is answered at once, and the next. */
  readonly waits_ms?: readonly number[];
  /** No request has more bytes than this. */
  readonly max_body_bytes?: number;
  /** The client has closed all its connections. */
  readonly closed?: true;
  /** For each call, `{"result": …}` or `{"error": …}`. */
  readonly outcomes?: unknown;
}

export interface Case {
  readonly name: string;
  /** Settings of the client; those of {@link DEFAULT_OPTIONS} that are not given are as there. */
  readonly options?: Readonly<Record<string, number>>;
  readonly calls: readonly Call[];
  readonly answers?: readonly Step[];
  readonly expect: Expectation;
}

/** Settings with which a suite takes seconds. Those of a product are longer. */
export const DEFAULT_OPTIONS = {
  max_attempts: 5,
  base_delay_ms: 10,
  max_delay_ms: 40,
  max_retry_after_ms: 60_000,
  timeout_ms: 10_000,
} as const;
