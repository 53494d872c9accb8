import { issuesAgainst, issuesOfAnswer } from '../openapi-conformance.ts';
import type { RawAnswer } from './send.ts';

/** Signs of internals: a stack frame, a path of a source file, words of the database. */
const INSIDE = /\bat .{1,200}[(/]\S+\.[cm]?[jt]s:\d+|node_modules|PrismaClient|ECONNREFUSED|SQLSTATE/;
const ERROR = { $ref: '#/components/schemas/Error' };

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Whether a path can be decoded; one that cannot names no operation. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function bodyIssues(method: string, path: string, answer: RawAnswer, body: unknown): string[] {
  const issues = isDecodable(path) ? issuesOfAnswer(method, path, { ...answer, body }) : null;
  if (issues !== null) return issues;
  return answer.status >= 400 ? issuesAgainst(ERROR, body) : [];
}

/** The issues of an answer, whatever the request was. The database is up, so 503 is an issue too. */
export function issuesOf(method: string, pathAndQuery: string, answer: RawAnswer): string[] {
  const issues = answer.status >= 500 ? [`the status is ${answer.status}`] : [];
  if (INSIDE.test(answer.text)) issues.push('the body exposes internals');
  if (answer.status === 204) return issues;
  // The only answer that is not JSON; `stream.test.ts` checks it.
  if (answer.headers['content-type'] === 'text/event-stream') return issues;
  const body = parsed(answer.text);
  if (body === null) return [...issues, 'the body is not JSON'];
  const path = pathAndQuery.split('?', 1)[0] ?? '';
  return [...issues, ...bodyIssues(method, path, answer, body.value)];
}
