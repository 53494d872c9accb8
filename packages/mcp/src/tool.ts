import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type Postrider, PostriderError } from '@postrider/client';
import { z } from 'zod';

/** The longest result of a tool, in characters: some 8,000 tokens of a model. */
const MAX_RESULT_CHARS = 32_000;
/** Longer texts of a record, such as a receiver's reply, are cut. */
const MAX_TEXT_CHARS = 2_000;

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

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const cutText = (_key: string, value: unknown) =>
  typeof value === 'string' && value.length > MAX_TEXT_CHARS
    ? `${value.slice(0, MAX_TEXT_CHARS)}… (${value.length} characters)`
    : value;

/** A result as JSON, at most {@link MAX_RESULT_CHARS} long. What is cut off is said, with how to ask for less. */
function show(data: unknown) {
  const text = JSON.stringify(data, cutText, 1);
  return textResult(
    text.length <= MAX_RESULT_CHARS
      ? text
      : `${text.slice(0, MAX_RESULT_CHARS)}\n… cut off: the result is ${text.length} characters long. Ask for fewer rows, or for one record.`,
  );
}

/** Why a call failed, in words that a model can act on. Anything else than an error of the service is thrown. */
function showError(error: unknown) {
  if (!(error instanceof PostriderError)) throw error;
  return { ...textResult(error.message), isError: true };
}

/** Adds tools to a server by their names. A failed call gives a result with the reason. */
export function registerTools(
  server: McpServer,
  tools: Readonly<Record<string, Tool<z.ZodRawShape>>>,
  { postrider, isReadOnly }: { readonly postrider: Postrider; readonly isReadOnly: boolean },
): void {
  for (const [name, described] of Object.entries(tools)) {
    const { title, description, input = {}, isDestructive = false } = described;
    // An unknown field is refused: without a misspelt filter, a tool would find or replay everything.
    const inputSchema = z.strictObject(input);
    const annotations = isReadOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : { readOnlyHint: false, destructiveHint: isDestructive, openWorldHint: true };
    server.registerTool(name, { title, description, inputSchema, annotations }, (given) =>
      described.call(postrider, given).then(show, showError),
    );
  }
}
