/**
 * Counts today's messages by status, page by page.
 *
 * POSTRIDER_URL=http://localhost:3000 POSTRIDER_TOKEN=pr_… \
 *     npx tsx --conditions=@postrider/source packages/client/examples/list-messages.ts
 */
import { createPostrider } from '@postrider/client';

const { POSTRIDER_URL = 'http://localhost:3000', POSTRIDER_TOKEN = '' } = process.env;
const postrider = createPostrider({ baseUrl: POSTRIDER_URL, token: POSTRIDER_TOKEN });

const today = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
const counts: Record<string, number> = {};
for await (const { status } of postrider.messages.all({ created_after: today, limit: 100 })) {
  counts[status] = (counts[status] ?? 0) + 1;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
