export type Signature = { readonly holds: true } | { readonly holds: false; readonly reason: string };

export interface ReceivedRequest {
  /** RFC 3339. */
  readonly received_at: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** As the `standardwebhooks` package judges it, at the time it came in. */
  readonly signature: Signature;
}
