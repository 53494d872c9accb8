import { PostriderError } from '@postrider/client';

/** The longest result of a tool, in characters: some 8,000 tokens of a model. */
const MAX_RESULT_CHARS = 32_000;
/** Longer texts of a record, such as a receiver's reply, are cut. */
const MAX_TEXT_CHARS = 2_000;

export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });

const cutText = (_key: string, value: unknown) =>
  typeof value === 'string' && value.length > MAX_TEXT_CHARS
    ? `${value.slice(0, MAX_TEXT_CHARS)}… (${value.length} characters)`
    : value;

/** A result as JSON, at most {@link MAX_RESULT_CHARS} long. What is cut off is said, with how to ask for less. */
export function show(data: unknown): ToolResult {
  const text = JSON.stringify(data, cutText, 1);
  return textResult(
    text.length <= MAX_RESULT_CHARS
      ? text
      : `${text.slice(0, MAX_RESULT_CHARS)}\n… cut off: the result is ${text.length} characters long. Ask for fewer rows, or for one record.`,
  );
}

/** Why a call failed, in words that a model can act on. Anything else than an error of the service is thrown. */
export function showError(error: unknown): ToolResult {
  if (!(error instanceof PostriderError)) throw error;
  return { ...textResult(error.message), isError: true };
}
