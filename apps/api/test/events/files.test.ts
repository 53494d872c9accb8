import { randomBytes } from 'node:crypto';
import { erasePage } from '@postrider/db';
import { formatId, orRefusal, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { takeFiles } from '../../src/events/files.ts';
import { anEvent } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const MIB = 1024 * 1024;

const bodyOf = (payload: unknown) => Buffer.from(JSON.stringify({ ...anEvent(), payload }));
const base64 = (bytes: number) => randomBytes(bytes).toString('base64');

describe('taking the files out of a body', () => {
  it('replaces files in a large body by markers, and keeps the rest', () => {
    const [pdf, logo] = [randomBytes(2 * MIB), randomBytes(20_000)];
    const lines = logo.toString('base64').replace(/.{76}/g, '$&\r\n');
    const payload = {
      'a "quoted" key': 1,
      files: [{ pdf: pdf.toString('base64') }, { logo: lines }],
      after: '\\"',
    };
    const taken = takeFiles(bodyOf(payload));
    // As text: `toEqual` compares buffers byte by byte, which takes a second.
    const texts = (files: readonly Uint8Array[]) => files.map((file) => Buffer.from(file).toString('base64'));
    expect(texts(taken.files)).toEqual(texts([pdf, logo]));
    expect(JSON.parse(Buffer.from(taken.bytes).toString())).toMatchObject({
      payload: {
        'a "quoted" key': 1,
        files: [
          { pdf: expect.stringMatching(/^\$file:1;bytes=2097152;sha256=[0-9a-f]{64}$/) },
          { logo: expect.stringMatching(/^\$file:2;bytes=20000;/) },
        ],
        after: '\\"',
      },
    });
  });

  it.each<[string, Buffer]>([
    ['text', bodyOf({ text: 'a b '.repeat(100_000) })],
    ['a key', bodyOf({ ['A'.repeat(400_000)]: 1 })],
    ['many small strings', Buffer.from(`[${'"",'.repeat(3_000_000)}""]`)],
    ['quotes in a string', Buffer.from(`["${'\\"'.repeat(4_000_000)}"]`)],
    ['backslashes', Buffer.from(`["${'\\\\'.repeat(4_000_000)}"]`)],
    ['numbers', Buffer.from(`[${'1,'.repeat(4_000_000)}1]`)],
    ['a string without an end', Buffer.from(`["${'A'.repeat(8_000_000)}`)],
    ['more than 20 files', bodyOf(Array.from({ length: 21 }, () => base64(15_000)))],
  ])('refuses one that is large by %s', async (_, body) => {
    expect(await orRefusal(async () => takeFiles(body))).toMatchObject({ refused: 'payload_too_large' });
  });
});

describe('POST /api/v1/events with files', () => {
  const onPlan = (maxPayloadBytes: number | null) =>
    world.environment({ plan: { maxPayloadBytes }, channels: [EMAIL], templates: [EMAIL_TEMPLATE] });

  it('stores them separately from the payload, if the plan allows it, until the message is erased', async () => {
    const fixture = await onPlan(10 * MIB);
    const pdf = randomBytes(7 * MIB);
    const event = anEvent({ payload: { invoice: { pdf: pdf.toString('base64') } } });
    const { body } = await world.api().postEvent(fixture.token, event).expect(201);
    const messageId = parseId('msg', body.message_id) ?? '';
    const stored = await world.db().messageFile.findMany({ where: { messageId } });
    expect(stored.map(({ number, content }) => [number, pdf.equals(content)])).toEqual([[1, true]]);
    const read = await world.api().get(`/api/v1/messages/${body.message_id}`, fixture.token).expect(200);
    expect(read.body.payload.invoice.pdf).toMatch(/^\$file:1;bytes=7340032;sha256=/);

    const path = `/admin/v1/environments/${formatId('env', fixture.environmentId)}/erasures`;
    const erasure = await world.api().admin('post', path, { email: 'ada@example.com' }).expect(201);
    const { newId, serviceKeys: keys } = world.api().deps;
    const id = parseId('era', erasure.body.id) ?? '';
    await until(async () => {
      await erasePage({ db: world.db(), newId, keys }, { id });
      return (await world.db().messageFile.count({ where: { messageId } })) === 0;
    });

    const limits = await world.api().get('/api/v1/limits', fixture.token).expect(200);
    expect(limits.body.payload.max_bytes).toBe(10 * MIB);
  });

  it('keeps those of a small event in the payload', async () => {
    const fixture = await onPlan(10 * MIB);
    const payload = { pdf: base64(100_000) };
    const { body } = await world.api().postEvent(fixture.token, anEvent({ payload })).expect(201);
    const read = await world.api().get(`/api/v1/messages/${body.message_id}`, fixture.token).expect(200);
    expect(read.body.payload).toEqual(payload);
  });

  it.each([
    ['the plan has no room for them', null, { pdf: 'A'.repeat(300_000) }, 413],
    ['they are larger than the plan allows', MIB, { pdf: 'A'.repeat(MIB) }, 413],
    ['it is not files that are large', 10 * MIB, { text: 'a b '.repeat(80_000) }, 413],
  ])('answers 413 when %s', async (_, maxPayloadBytes, payload, status) => {
    const fixture = await onPlan(maxPayloadBytes);
    const { body } = await world.api().postEvent(fixture.token, anEvent({ payload })).expect(status);
    expect(body.error.code).toBe('payload_too_large');
  });

  it('stores them once for a repeated key', async () => {
    const fixture = await onPlan(10 * MIB);
    const event = anEvent({ payload: { pdf: base64(300_000) } });
    const key = crypto.randomUUID();
    const first = await world.api().postEvent(fixture.token, event, key).expect(201);
    const again = await world.api().postEvent(fixture.token, event, key).expect(201);
    expect(again.body).toEqual(first.body);
    const messages = await world.db().messageFile.count({ where: { environmentId: fixture.environmentId } });
    expect(messages).toBe(1);
  });
});
