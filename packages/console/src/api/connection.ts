/** The service's URL: one level above the console, whatever prefix a proxy adds to both. */
export const BASE_URL = new URL('..', window.location.origin + window.location.pathname).href;

/** Random bytes as lower-case hexadecimal. `crypto.randomUUID` is missing where the page came over plain HTTP. */
function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** A UUID of version 4. */
export function newUuid(): string {
  const hex = randomHex(16);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The message of a change that was refused because of a new sign-in. */
export const SIGNED_IN_AGAIN = 'There was a new sign-in in another tab. Nothing was changed.';

interface OnRefusal {
  /** Called after each response 401. */
  signedOut(): void;
  /** Called after each response 403. Resolves with whether there was a new sign-in since the session had this CSRF token. */
  forbidden(csrfToken: string | null): Promise<boolean>;
}
let on: OnRefusal = { signedOut: () => undefined, forbidden: async () => false };

/** Sets what is called after refusals. */
export function onRefusal(callbacks: OnRefusal): void {
  on = callbacks;
}

/**
 * Gives each request an id that the service logs, so that an error on the screen can be found in the logs. A change that was
 * refused waits until the session was read again, and then says {@link SIGNED_IN_AGAIN} if that was the reason. It is not repeated:
 * the new session may be another person's.
 */
async function identified(request: Request): Promise<Response> {
  if (!request.headers.has('X-Request-ID')) request.headers.set('X-Request-ID', `console-${randomHex(8)}`);
  const response = await window.fetch(request);
  if (response.status === 401) on.signedOut();
  if (response.status !== 403) return response;
  const isNew = on.forbidden(request.headers.get('X-CSRF-Token'));
  // Only changes wait: reading the session is itself a GET.
  if (request.method === 'GET' || !(await isNew)) return response;
  return Response.json({ error: { code: 'forbidden', message: SIGNED_IN_AGAIN } }, { status: 403 });
}

/** The options of all clients. Only two tries, because a person waits and can retry. */
export const CONNECTION = {
  baseUrl: BASE_URL,
  retry: { maxAttempts: 2 },
  surroundings: { fetch: identified, newKey: newUuid },
} as const;
