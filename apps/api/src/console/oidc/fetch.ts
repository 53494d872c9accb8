/** The largest response of a provider, after decompression. Discovery documents and key sets have some ten kilobytes. */
const MAX_RESPONSE_BYTES = 256 * 1024;
/** For one request with its whole response. */
const REQUEST_MS = 5_000;

/** The provider could not be asked: unreachable, too slow, or with an error of its own. It refused nobody. */
class ProviderAway extends Error {}

/** Whether an error or its cause says that the provider cannot be reached. */
export function isProviderAway(error: unknown): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth += 1) {
    if (current instanceof ProviderAway) return true;
    current = current.cause;
  }
  return false;
}

async function readAll(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MAX_RESPONSE_BYTES)
      throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fetches from a provider, bounded in time and bytes, without following redirects.
 * @throws ProviderAway if there is no whole response in time, or the provider reports that it cannot respond
 */
export async function fetchFromProvider(url: string, options: RequestInit): Promise<Response> {
  const deadline = AbortSignal.timeout(REQUEST_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    const response = await fetch(url, { ...options, redirect: 'manual', signal });
    const { status, headers } = response;
    if (status >= 500 || status === 429) {
      await response.body?.cancel();
      throw new ProviderAway(`the provider responded with ${status}`);
    }
    const body = response.body ? await readAll(response.body) : null;
    return new Response(body && new Uint8Array(body), { status, headers });
  } catch (error) {
    if (error instanceof ProviderAway) throw error;
    throw new ProviderAway('the provider did not respond', { cause: error });
  }
}
