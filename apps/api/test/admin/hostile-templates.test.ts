import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { HOSTILE_PAYLOAD, hostileTemplate } from '../../../../packages/rendering/test/hostile-templates.ts';
import { EMAIL, useApi } from '../support/database.ts';

const world = useApi();
/** `HOSTILE_TEMPLATES=1000` runs the long form. */
const HOSTILE_COUNT = Number(process.env.HOSTILE_TEMPLATES ?? 30);
/** Two seconds for each template, and a minute for a busy machine. */
const MAX_MS = 60_000 + HOSTILE_COUNT * 2_000;
const CONCAT_BOMB = `{% assign a = payload.one %}${'{% assign a = a | concat: a %}'.repeat(16)}{{ a }}{% for i in (1..200000) %}x{% endfor %}`;

async function createIn(environmentId: string, html: string) {
  const path = `/admin/v1/environments/${formatId('env', environmentId)}/templates`;
  const body = { event_key: 'order.shipped', channel_kind: 'email', subject: 'x', html, text: html };
  return world.api().admin('post', path, body);
}
const preview = (id: string, payload: unknown) =>
  world.api().admin('post', `/admin/v1/templates/${id}/preview`, { payload });

describe('the preview', () => {
  it('survives a template with doubling lists, and reports where it exceeds its limit', async () => {
    const { environmentId } = await world.environment({ channels: [EMAIL] });
    const { body: template } = await createIn(environmentId, CONCAT_BOMB);
    const { body } = await preview(template.id, HOSTILE_PAYLOAD).expect(200);
    expect(body).toMatchObject({
      deliverable: false,
      rendered: null,
      errors: [
        { path: '/html', message: 'memory alloc limit exceeded', line: 1 },
        { path: '/text', message: 'memory alloc limit exceeded', line: 1 },
      ],
    });
  });

  it('reports positions of missing values in the MJML source', async () => {
    const { environmentId } = await world.environment({ channels: [EMAIL] });
    const mjml =
      '<mjml><mj-body><mj-section><mj-column><mj-text>{{ payload.nope }}</mj-text></mj-column></mj-section></mj-body></mjml>';
    const { body: template } = await createIn(environmentId, mjml);
    const { body } = await preview(template.id, {}).expect(200);
    const place = { line: 1, column: mjml.indexOf('payload.nope') + 1 };
    expect(body.missing_variables).toContainEqual({
      path: '/html',
      name: 'payload.nope',
      part: null,
      ...place,
    });
  });

  it(
    `answers each of ${HOSTILE_COUNT} generated templates, and another environment meanwhile`,
    async () => {
      const [hostile, other] = await Promise.all([world.environment({}), world.environment({})]);
      const { body: sound } = await createIn(other.environmentId, '{{ payload.name }}');
      const statuses = new Set<number>();
      const latenesses: number[] = [];
      for (let number = 0; number < HOSTILE_COUNT; number += 1) {
        const made = await createIn(hostile.environmentId, hostileTemplate(number));
        statuses.add(made.status);
        const previewing = made.status === 201 ? preview(made.body.id, HOSTILE_PAYLOAD) : null;
        const hostilePreview = Promise.resolve(previewing?.then(({ status }) => statuses.add(status)));
        const before = performance.now();
        const { body } = await preview(sound.id, { name: 'Ada' }).expect(200);
        latenesses.push(performance.now() - before);
        expect(body).toMatchObject({ deliverable: true, rendered: { html: 'Ada' } });
        await hostilePreview;
      }
      // Some are too large to be stored.
      expect([...statuses].filter((status) => ![200, 201, 413, 422].includes(status))).toEqual([]);
      if (HOSTILE_COUNT >= 1_000) {
        const late = latenesses.filter((ms) => ms > 1_000).length;
        process.stdout.write(`late ${late}, slowest ${Math.max(...latenesses)} ms\n`);
      }
    },
    MAX_MS,
  );
});
