import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpServer, type McpOptions } from './server.ts';

export interface McpRequest extends McpOptions {
  /** One JSON-RPC message. */
  readonly message: unknown;
  /** The headers `accept` and `mcp-protocol-version`, as far as they were sent. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers one request over Streamable HTTP, without a session and with JSON. The body of a notification's answer is empty. */
export async function answerMcpRequest({
  message,
  headers,
  ...options
}: McpRequest): Promise<{ readonly status: number; readonly body: Uint8Array }> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    const response = await transport.handleRequest(request, { parsedBody: message });
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  } finally {
    await server.close();
  }
}
