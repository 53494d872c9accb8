import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SecretBox } from '@postrider/domain';
import { cookieValues } from '../cookie.ts';
import type { FlowSecrets } from './client.ts';

/** How long a person may take at the provider, in seconds. */
export const FLOW_S = 600;
/** Sessions that a sign-in replaces; a browser has one, unless a sibling domain planted others. */
const MAX_REPLACED = 8;

/** A sign-in that was begun in this browser. Its secrets are in an encrypted cookie, so that no request leaves a row. */
export interface Flow extends FlowSecrets {
  readonly providerId: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The UUIDs of the browser's sessions, which the new one replaces: the callback comes without their cookies. */
  readonly replaces: readonly string[];
}

const NAMES = { secure: '__Host-postrider_oidc', plain: 'postrider_oidc' } as const;
const nameOf = (isSecure: boolean) => (isSecure ? NAMES.secure : NAMES.plain);
/** Lax, because the provider's page leads to the callback. */
const attributesOf = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
const BINDING = 'sign-in';

const random = () => randomBytes(32).toString('base64url');

/** Begins a sign-in. */
export function createFlow(flow: Pick<Flow, 'providerId' | 'redirectUri' | 'replaces'>, nowMs: number): Flow {
  return {
    ...flow,
    replaces: flow.replaces.slice(0, MAX_REPLACED),
    ...{ state: random(), nonce: random(), verifier: random() },
    expiresAt: nowMs + FLOW_S * 1_000,
  };
}

/** `Set-Cookie` of a flow. */
export function flowCookie(flow: Flow, secretBox: SecretBox, isSecure: boolean): string {
  const value = secretBox.encrypt(JSON.stringify(flow), BINDING);
  return `${nameOf(isSecure)}=${value}; Max-Age=${FLOW_S}; ${attributesOf(isSecure)}`;
}

/** `Set-Cookie` that removes it: a flow is used once. */
export function endedFlowCookie(isSecure: boolean): string {
  return `${nameOf(isSecure)}=; Max-Age=0; ${attributesOf(isSecure)}`;
}

/** The flow with this state that the browser has begun at this provider and that has not expired; null if there is none. */
export function flowOf(
  http: IncomingMessage,
  {
    providerId,
    state,
    isSecure,
    nowMs,
  }: { providerId: string; state: string | null; isSecure: boolean; nowMs: number },
  secretBox: SecretBox,
): Flow | null {
  for (const value of cookieValues(http, nameOf(isSecure))) {
    const decrypted = secretBox.decrypt(value, BINDING);
    if (!decrypted.ok) continue;
    const flow = JSON.parse(decrypted.plaintext) as Flow;
    if (flow.providerId === providerId && flow.state === state && flow.expiresAt > nowMs) return flow;
  }
  return null;
}
