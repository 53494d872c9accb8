import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createPostrider, createPostriderAdmin } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';

const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url));

/** Calls every function of a client, those of what `of` gives included; each makes at least one request. */
async function callAll(part: object): Promise<void> {
  for (const [name, member] of Object.entries(part)) {
    if (name === 'of') await callAll(member('x'));
    else if (name === 'all') for await (const _ of member()) break;
    else if (name === 'sendBatch') await member([{ event: {} }]);
    else if (name === 'pick') await callAll(member(['id']));
    else if (typeof member !== 'function') await callAll(member);
    else {
      // More than three parameters are the options after three ids, or after two and a body.
      const result = await (member.length > 3 ? member('x', 'x', 'x') : member('x', 'x', {}));
      // A list makes its requests when it is read.
      if (typeof result?.all === 'function') for await (const _ of result.all()) break;
    }
  }
}

describe('the client', () => {
  it('has a function for every operation of the document', async () => {
    const seen: string[] = [];
    const surroundings = {
      fetch: async ({ method, url }: Request) => {
        seen.push(`${method} ${new URL(url).pathname}`);
        return Response.json({ data: [], next_cursor: null, results: [{ status: 201, body: {} }] });
      },
    };
    const connection = { baseUrl: 'https://notify.example.com', surroundings };
    await callAll(createPostrider({ ...connection, token: 'pr_x' }));
    await callAll(createPostriderAdmin({ ...connection, adminToken: 'x' }));

    const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
    );
    const preflights = operations.filter((operation) => operation.startsWith('OPTIONS '));
    expect(new Set([...seen, ...preflights])).toEqual(new Set(operations));
  });
});
