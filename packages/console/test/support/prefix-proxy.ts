import { createServer, request as send } from 'node:http';
import { listenOnLoopback } from '@postrider/rig';

/** A reverse proxy that shows a service below a path. */
export interface PrefixProxy {
  /** The URL of the service through the proxy, with the path and without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy on 127.0.0.1 that takes `prefix` (such as `/postrider`) off each path and passes the rest on to the
 * service at `target`. It knows nothing outside the prefix, where it answers 404, and rewrites no answer.
 */
export async function startPrefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const server = createServer((request, response) => {
    const { method, headers, url = '/' } = request;
    if (!url.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    const upstream = send(new URL(url.slice(prefix.length), target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    // A reader who leaves ends the stream of events at the service, too.
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  const { url, close } = await listenOnLoopback(server);
  return { url: `${url}${prefix}`, close };
}
