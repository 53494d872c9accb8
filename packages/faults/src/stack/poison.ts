/**
 * The variants of events whose webhook crashes the process that handles it: right after the claim, when the body is
 * made, and after the receiver's answer, before the result is stored.
 */
export const POISONS = ['poison_claim', 'poison_body', 'poison_answer'] as const;
type Poison = (typeof POISONS)[number];

export const isPoison = (variant: string): boolean => POISONS.some((poison) => poison === variant);

const marks = {
  claim: 'poison_claim',
  body: 'poison_body',
  answer: 'poison_answer',
} satisfies Record<string, Poison>;

/**
 * A script that makes a worker's process die of poison, by SIGKILL as when memory runs out. Load it before anything
 * else. It relies on the worker parsing a payload's JSON only at the claim, and writing it only for the body.
 */
export const POISON_SCRIPT = `
import { subscribe } from 'node:diagnostics_channel';
const end = () => process.kill(process.pid, 'SIGKILL');
const { parse, stringify } = JSON;
const answered = new Set();
JSON.parse = (text, ...rest) => {
  if (typeof text === 'string' && text.includes('${marks.claim}')) end();
  return parse(text, ...rest);
};
JSON.stringify = (...args) => {
  const text = stringify(...args);
  if (typeof text !== 'string' || !text.includes('poison_')) return text;
  if (text.includes('${marks.body}')) end();
  if (text.includes('${marks.answer}')) answered.add(/"delivery_run_id":"(\\w+)"/.exec(text)?.[1]);
  return text;
};
subscribe('http.client.response.finish', ({ request }) => {
  if (answered.has(request.getHeader('webhook-id'))) end();
});`;
