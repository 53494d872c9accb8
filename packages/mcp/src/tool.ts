import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Postrider } from '@postrider/client';
import type { z } from 'zod';
import { show, showError } from './result.ts';

/** A tool for agents. `call` returns what they are shown. */
export interface Tool<Input extends z.ZodRawShape> {
  readonly title: string;
  readonly description: string;
  readonly input?: Input;
  /** Whether its change cannot be undone. */
  readonly isDestructive?: boolean;
  call(postrider: Postrider, given: z.output<z.ZodObject<Input>>): Promise<unknown>;
}

/** Returns the tool unchanged. The compiler infers from `input` what `call` gets. */
export const tool = <Input extends z.ZodRawShape>(described: Tool<Input>): Tool<Input> => described;

/** Adds tools to a server by their names. A failed call gives a result with the reason. */
export function registerTools(
  server: McpServer,
  tools: Readonly<Record<string, Tool<z.ZodRawShape>>>,
  { postrider, isReadOnly }: { readonly postrider: Postrider; readonly isReadOnly: boolean },
): void {
  for (const [name, described] of Object.entries(tools)) {
    const { title, description, input: inputSchema = {}, isDestructive = false } = described;
    const annotations = isReadOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : { readOnlyHint: false, destructiveHint: isDestructive, openWorldHint: true };
    server.registerTool(name, { title, description, inputSchema, annotations }, (given) =>
      described.call(postrider, given).then(show, showError),
    );
  }
}
