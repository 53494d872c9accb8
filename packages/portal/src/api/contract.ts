import type { DeliveryRun, SentContent } from '@postrider/client';

export type SentRequest = NonNullable<SentContent['request']>;

/** The look that the product gives the portal; docs/portal.md has the fields. */
export interface Theme {
  readonly mode?: string | null;
  readonly accent?: string | null;
  readonly background?: string | null;
  readonly radius?: number | null;
  readonly logo_url?: string | null;
}

/** What a link is exchanged for. The token is kept in memory alone. */
export interface Session {
  readonly token: string;
  readonly expires_at: string;
  readonly consumer: { readonly id: string; readonly name: string | null };
  readonly scopes: readonly string[];
  readonly theme: Theme | null;
  readonly locale: string | null;
  readonly return_url: string | null;
}

/** A row of the list of deliveries. */
export type Delivery = Omit<DeliveryRun, 'attempts'> & { readonly event_key: string };
