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

/** The event of the window after a response 403. */
export const FORBIDDEN = 'postrider.forbidden';

/** Gives each request an id that the service logs, so that an error on the screen can be found in the logs. */
async function identified(request: Request): Promise<Response> {
  if (!request.headers.has('X-Request-ID')) request.headers.set('X-Request-ID', `console-${randomHex(8)}`);
  const response = await window.fetch(request);
  if (response.status === 403) window.dispatchEvent(new Event(FORBIDDEN));
  return response;
}

/** The options of all clients. Only two tries, because a person waits and can retry. */
export const CONNECTION = {
  baseUrl: BASE_URL,
  retry: { maxAttempts: 2 },
  surroundings: { fetch: identified, newKey: newUuid },
} as const;
