import { faultsAgainst, faultsOfAnswer } from '../openapi-conformance.ts';
import type { RawAnswer } from './send.ts';

/** Traces of the inside of the service: a frame of a stack, a path in its files, words of its database. */
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

function bodyFaults(method: string, path: string, answer: RawAnswer, body: unknown): string[] {
  const faults = isDecodable(path) ? faultsOfAnswer(method, path, { ...answer, body }) : null;
  if (faults !== null) return faults;
  return answer.status >= 400 ? faultsAgainst(ERROR, body) : [];
}

/** Names everything that is wrong with an answer, whatever was asked. The database is there, so 503 is wrong too. */
export function faultsOf(method: string, pathAndQuery: string, answer: RawAnswer): string[] {
  const faults = answer.status >= 500 ? [`the status is ${answer.status}`] : [];
  if (INSIDE.test(answer.text)) faults.push('the body tells of the inside');
  if (answer.status === 204) return faults;
  const body = parsed(answer.text);
  if (body === null) return [...faults, 'the body is not JSON'];
  const path = pathAndQuery.split('?', 1)[0] ?? '';
  return [...faults, ...bodyFaults(method, path, answer, body.value)];
}
