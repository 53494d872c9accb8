import { createFixture, type Fixture, putTestEventType, type TestDatabase } from '../../src/testing/index.ts';
import { EMAIL } from '../feedback/support.ts';
import { WEBHOOK } from '../support.ts';

/** An environment with an email and a webhook channel, whose event `news.sent` is in the stream `news`. */
export async function anEnvironment({ db }: TestDatabase, rate: number | null = 0.003): Promise<Fixture> {
  const fixture = await createFixture(db, {
    settings: { pauseStreamsAtComplaintRate: rate },
    channels: [EMAIL, WEBHOOK, { ...WEBHOOK, name: 'operators', operational: true }],
  });
  const { environmentId } = fixture;
  const eventType = { description: null, payloadSchema: null, environmentId };
  await putTestEventType(db, { ...eventType, eventKey: 'news.sent', stream: 'news' });
  await putTestEventType(db, { ...eventType, eventKey: 'tips.sent', stream: 'tips' });
  return fixture;
}

export interface Figures {
  readonly delivered: number;
  readonly complained: number;
  readonly eventKey?: string;
  /** Index of the channel. */
  readonly channel?: number;
  /** The hour after that of the database's clock. */
  readonly hour?: number;
}

/** Writes an hour's figures of a channel and event key. */
export async function count(
  { db }: TestDatabase,
  fixture: Fixture,
  { hour = 0, channel = 0, ...figures }: Figures,
): Promise<void> {
  const { delivered, complained, eventKey = 'news.sent' } = figures;
  await db.$executeRaw`
    INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket, accepted,
                       delivered, failed, attempts, bounced, complained)
    VALUES (${fixture.environmentId}::uuid, 3600, date_trunc('hour', now()) + make_interval(hours => ${hour}::int),
            ${fixture.channels[channel]?.id}::uuid, ${eventKey}, '', -1, 0, ${delivered}, 0, 0, 0, ${complained})`;
}

/** Lets hours pass for the figures and the pauses of an environment. */
export async function passStreamTime(
  { db }: TestDatabase,
  { environmentId }: Fixture,
  hours: number,
): Promise<void> {
  await db.$executeRaw`
    UPDATE stats SET start = start - make_interval(hours => ${hours}::int) WHERE environment_id = ${environmentId}::uuid`;
  await db.$executeRaw`
    UPDATE stream_pauses
       SET paused_at = paused_at - make_interval(hours => ${hours}::int),
           resumed_at = resumed_at - make_interval(hours => ${hours}::int)
     WHERE environment_id = ${environmentId}::uuid`;
}
