import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from '@postrider/testing';
import { useService } from './support/service.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('postrider mcp', () => {
  const service = useService();

  it('serves the tools to an agent that starts it, and ends with it', async () => {
    const { token } = await service.fixture({ channels: [], scopes: ['channels:read'] });
    const client = new Client({ name: 'test', version: '1.0.0' });
    const env = { POSTRIDER_URL: service.environment().POSTRIDER_URL, POSTRIDER_TOKEN: token };
    const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('explain_message');
    expect(tools.map(({ name }) => name)).not.toContain('replay_message');
    const { content } = await client.callTool({ name: 'list_channels', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('"data": []') }]);
    await client.close();
  });
});
