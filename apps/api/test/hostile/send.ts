import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Body } from './bodies.ts';
import type { HostileRequest } from './requests.ts';

/** Milliseconds after which an answer counts as none; the limits of templates and schemas are far below. */
const PATIENCE_MS = 30_000;

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request whose references have been resolved. */
type Resolved = Omit<HostileRequest, 'operationId'>;

const bytesOf = (body: Body) => (typeof body === 'string' ? Buffer.from(body) : body);

/**
 * Sends a request as it stands: nothing in its path is normalized and nothing is added to its body.
 * @throws where there is no answer within 30 s.
 */
export function send(
  agent: Agent,
  url: string,
  { method, path, headers, body }: Resolved,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const bytes = body === null ? new Uint8Array() : bytesOf(body);
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': bytes.byteLength };
    const outgoing = httpRequest(
      { agent, hostname, port, method, path, headers: { ...headers, ...length }, timeout: PATIENCE_MS },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}
