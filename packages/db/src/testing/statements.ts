import { Client } from 'pg';

/** The first characters of each statement that this process sends while `work` runs, in their order. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const query = Client.prototype.query as (this: Client, ...given: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const [first] = given as [string | { readonly text?: string } | undefined];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    sent.push(text.replaceAll(/\s+/g, ' ').trim().slice(0, 60));
    return query.apply(this, given);
  } as typeof Client.prototype.query;
  try {
    await work();
  } finally {
    Client.prototype.query = query as typeof Client.prototype.query;
  }
  return sent;
}
