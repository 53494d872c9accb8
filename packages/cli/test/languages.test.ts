import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatId } from '@postrider/domain';
import { type MailServer, startMailServer, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { useService } from './support/service.ts';

const service = useService({ worker: true });
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.close());

const layout = (look: string) =>
  `<html lang="{{ locale }}" dir="{{ dir }}"><body class="${look}">{% block %}{% endblock %}{% render 'footer' %}</body></html>`;
const BODY =
  "{% layout 'main' %}<p>{{ 'hello' | t: name: recipient.name }} {{ 'items' | t: count: payload.count }}</p>" +
  "<p>{{ payload.at | date: 'long' }} {{ payload.at | time }} {{ payload.total | money: 'EUR' }}</p>";

const CATALOGS = {
  en: { hello: 'Hello {name}:', items: '{count, plural, one {# item} other {# items}}', bye: 'Bye' },
  fr: {
    hello: 'Bonjour {name} :',
    items: '{count, plural, one {# article} other {# articles}}',
    bye: 'Salut',
  },
  ar: { hello: 'مرحبا {name}:', items: '{count, plural, two {قطعتان} other {# قطع}}', bye: 'وداعا' },
};

/** Runs a command line and returns what it prints as JSON. */
async function json(args: readonly string[], env: Record<string, string> = {}) {
  const finished = await service.postrider([...args, '--json'], { env });
  if (finished.code !== 0) throw new Error(`${args.join(' ')}: ${finished.stderr}${finished.stdout}`);
  return JSON.parse(finished.stdout);
}

async function fileOf(text: string): Promise<string> {
  const path = join(tmpdir(), `part-${process.pid}-${Math.random()}`);
  await writeFile(path, text);
  return path;
}

describe('a template in three languages with a shared layout', () => {
  it('is sent in the language of each recipient, stays verifiable after a change of the layout, and can be rolled back', async () => {
    const fixture = await service.fixture({
      channels: [
        {
          kind: 'email',
          name: 'Mail',
          config: {
            smtp: { host: '127.0.0.1', port: mail.port, secure: false },
            from: { email: 'shop@example.com' },
          },
        },
      ],
    });
    const environment = ['--environment', formatId('env', fixture.environmentId)];
    const token = { POSTRIDER_TOKEN: fixture.token };
    const addLayout = async (look: string) =>
      json([
        'layouts',
        'create',
        ...environment,
        '--name',
        'main',
        '--file',
        await fileOf(layout(look)),
        '--activate',
      ]);

    for (const [locale, messages] of Object.entries(CATALOGS)) {
      const file = await fileOf(JSON.stringify(messages));
      await json([
        'translations',
        'create',
        ...environment,
        '--locale',
        locale,
        '--file',
        file,
        '--activate',
      ]);
    }
    const footer = await fileOf("<small>{{ 'bye' | t }}</small>");
    await json(['partials', 'create', ...environment, '--name', 'footer', '--file', footer, '--activate']);
    const oldLayout = await addLayout('old');
    const template = await json([
      ...[
        'templates',
        'create-email',
        ...environment,
        '--event-key',
        'order.shipped',
        '--subject',
        "{{ 'bye' | t }}",
      ],
      ...['--html-file', await fileOf(BODY)],
    ]);
    expect(template).toMatchObject({ active: true, warnings: [{ code: 'text_derived' }] });
    const shown = await json([
      'templates',
      'preview',
      template.id,
      '--locale',
      'fr',
      '--payload',
      '{"count":2,"at":"2026-03-01T12:00:00Z","total":3}',
    ]);
    expect(shown.rendered.html).toContain('2 articles');

    /** Sends an event, and returns its mail and its run. */
    async function send(recipient: Record<string, string>) {
      const payload = { count: 2, at: '2026-03-01T12:00:00Z', total: 1234.5 };
      const response = await fetch(`${service.environment().POSTRIDER_URL}/api/v1/events`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${fixture.token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': crypto.randomUUID(),
        },
        body: JSON.stringify({ event_key: 'order.shipped', recipient, payload }),
      });
      const accepted = (await response.json()) as { delivery_runs: [{ id: string }] };
      const runId = accepted.delivery_runs[0].id;
      const received = await waitFor(`the mail to ${recipient.email}`, async () =>
        mail.mails.find(({ to }) => to.includes(recipient.email ?? '')),
      );
      const content = await waitFor('the content', async () => {
        const found = await contentOf(runId);
        return found.verified !== null && found;
      });
      return {
        runId,
        content,
        html: (received.html ?? '').replaceAll(/[\u00a0\u202f]/g, ' '),
        mail: received,
      };
    }
    const contentOf = (runId: string) => json(['delivery-runs', 'content', runId], token);

    const english = await send({ email: 'en@example.com', name: 'Ada', locale: 'en' });
    const french = await send({
      email: 'fr@example.com',
      name: 'Ada',
      locale: 'fr-CA',
      timezone: 'America/Toronto',
    });
    const arabic = await send({ email: 'ar@example.com', name: 'Ada', locale: 'ar' });
    const other = await send({ email: 'sv@example.com', name: 'Ada', locale: 'sv' });
    expect(english.html).toContain('<html lang="en" dir="ltr"><body class="old"><p>Hello Ada: 2 items</p>');
    expect(english.html).toContain('<p>March 1, 2026 12:00 PM €1,234.50</p><small>Bye</small>');
    expect(english.mail.subject).toBe('Bye');
    expect(english.mail.text).toContain('Hello Ada: 2 items');
    expect(french.html).toContain('<html lang="fr-CA" dir="ltr">');
    expect(french.html).toContain(
      '<p>Bonjour Ada : 2 articles</p><p>1 mars 2026 07 h 00 1 234,50 €</p><small>Salut</small>',
    );
    expect(arabic.html).toContain('<html lang="ar" dir="rtl">');
    expect(arabic.html).toContain('مرحبا Ada: قطعتان');
    expect(other.html).toContain('<html lang="en" dir="ltr">');

    const changed = await addLayout('new');
    expect(changed.templates).toMatchObject([{ event_key: 'order.shipped', version: 2, active: true }]);
    // The snapshot of the API is up to 5 s old.
    let count = 0;
    const renewed = await waitFor('a mail in the new look', async () => {
      count += 1;
      const sent = await send({ email: `new-${count}@example.com`, name: 'Ada', locale: 'fr' });
      return sent.html.includes('class="new"') && sent;
    });
    expect(renewed.html).toContain('Bonjour Ada');
    for (const { runId } of [english, french, arabic, other, renewed]) {
      expect(await contentOf(runId)).toMatchObject({ verified: true });
    }
    expect((await contentOf(french.runId)).email.html).toContain('class="old"');

    await json(['layouts', 'activate', oldLayout.id]);
    const restored = await waitFor('a mail in the old look', async () => {
      count += 1;
      const sent = await send({ email: `old-${count}@example.com`, name: 'Ada', locale: 'fr' });
      return sent.html.includes('class="old"') && sent;
    });
    expect(await contentOf(restored.runId)).toMatchObject({ verified: true });
    expect(await contentOf(renewed.runId)).toMatchObject({ verified: true });
  }, 120_000);
});
