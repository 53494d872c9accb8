import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpOptions } from './server.ts';

/** Answers requests of `input` on `output`, until `input` ends or the signal is aborted. */
export async function serveMcpOnStdio(
  {
    input,
    output,
    signal,
  }: { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
  options: McpOptions,
): Promise<void> {
  const server = createMcpServer(options);
  const ended = once(input, 'close', { signal });
  await server.connect(new StdioServerTransport(input, output));
  await ended.catch(() => undefined);
  await server.close();
}
