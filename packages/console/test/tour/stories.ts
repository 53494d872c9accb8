import { setTimeout as wait } from 'node:timers/promises';
import { createPostrider, type EventInput } from '@postrider/client';
import { status, waitFor } from '@postrider/rig';
import { recoverEndpoint } from '../support/recover-endpoint.ts';
import { type Connected, connect, hookPath, type Installation } from './installation.ts';
import type { Visitor } from './visitor.ts';

/** What a story took. */
export interface Told {
  readonly name: string;
  readonly clicks: number;
  readonly seconds: number;
  /** Why it did not end as it should. */
  readonly error?: string;
}

/** The world of one round of the tour. */
export interface Round {
  readonly installation: Installation;
  readonly visitor: Visitor;
  /** Names what the round creates. */
  readonly name: string;
  readonly connected: Connected;
}

const OUTAGE_MS = 30_000;

/** Sends an event, and resolves with its message's id and status when all deliveries are over. */
export async function deliver(
  { admin, service }: Installation,
  environmentId: string,
  token: string,
  event: EventInput,
): Promise<{ readonly id: string; readonly status: string }> {
  const { message_id: id } = await createPostrider({ baseUrl: service.url, token }).events.send(event);
  const message = await waitFor('the deliveries of the event', async () => {
    const read = await admin.messages.of(environmentId).get(id);
    return read.status !== 'pending' && read;
  });
  return { id, status: message.status };
}

export const eventOf = ({ eventKey }: Connected, order_id: string): EventInput => ({
  event_key: eventKey,
  recipient: { email: 'ada@example.com', name: 'Ada' },
  payload: { order_id, customer: `Ada Lovelace of ${eventKey}` },
});

async function tell(name: string, visitor: Visitor, story: () => Promise<unknown>): Promise<Told> {
  visitor.takeClicks();
  const began = performance.now();
  const error = await story().then(
    () => undefined,
    (reason) => String(reason),
  );
  const seconds = (performance.now() - began) / 1_000;
  return { name, clicks: visitor.takeClicks(), seconds, ...(error !== undefined && { error }) };
}

/** An empty environment, until the mail of the first event is on the screen. */
async function firstEvent({ installation, visitor, name }: Round): Promise<Told> {
  const { admin } = installation;
  const { id: tenantId } = await admin.tenants.create({
    name: `Fresh ${name}`,
    plan: await planOf(installation),
  });
  const { id: environmentId } = await admin.environments.create(tenantId, { name: 'production' });
  await connect(installation, environmentId, 'order.shipped');
  await visitor.goTo(`/e/${environmentId}/overview`);
  const { page, click } = visitor;
  await page.getByRole('heading', { name: 'Start here' }).waitFor();
  return tell('first event', visitor, async () => {
    await click(page.getByRole('link', { name: 'Send one from here' }));
    await click(page.getByRole('button', { name: 'Send and follow' }));
    const sent = page.locator('.event', { hasText: 'replied 250' });
    await click(sent.getByRole('button', { name: 'What was sent' }));
    await page.frameLocator('iframe').getByText('is on its way').waitFor();
  });
}

const planOf = async ({ admin, tenantId }: Installation) => (await admin.tenants.get(tenantId)).plan;

/** From the question of a customer to the reason, by three things that the customer may name. */
async function adaDidNotGetIt(round: Round): Promise<Told[]> {
  const { installation, visitor, connected } = round;
  const { admin, mail, environmentId } = installation;
  const { token } = connected;
  let tries = 0;
  await waitFor(
    'the business ids to be kept',
    async () => {
      const order = `T-${round.name}-${tries++}`;
      await deliver(
        installation,
        environmentId,
        token,
        eventOf({ ...connected, eventKey: connected.eventKey }, order),
      );
      return (await admin.lookup.find({ q: order })).results.length > 0;
    },
    { pollMs: 500 },
  );
  const messageId = mail.mails.at(-1)?.messageId ?? '';
  mail.fail('rcpt', 550, 1);
  const order = `ORD-${round.name}`;
  const event = eventOf(connected, order);
  await deliver(installation, environmentId, token, {
    ...event,
    payload: { order_id: order, customer: `Ada King of ${round.name}` },
  });
  const { page } = visitor;
  const refused = page.getByText('Ada did not get the email: the mail server refused the email.');
  const told: Told[] = [];
  for (const [by, text, verdict] of [
    ['name', `Ada King of ${round.name}`, refused],
    ['order id', order, refused],
    ['Message-ID', messageId, page.getByRole('region', { name: 'What happened' })],
  ] as const) {
    await visitor.goTo(`/e/${environmentId}/overview`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    told.push(
      await tell(`“Ada did not get it” by ${by}`, visitor, async () => {
        await visitor.search(text);
        await verdict.first().waitFor();
      }),
    );
  }
  return told;
}

/** An endpoint that fails, is paused, recovers, and gets its failures again. */
async function failingEndpoint({ installation, visitor, connected, name }: Round): Promise<Told> {
  const { admin, hooks, environmentId } = installation;
  const { token, webhookChannelId, webhookName, eventKey } = connected;
  let answer = 503;
  const taken: string[] = [];
  hooks.endpoint(hookPath(eventKey), (response) => {
    if (answer === 200) taken.push('taken');
    response.writeHead(answer).end();
  });
  for (const number of [1, 2, 3])
    await deliver(installation, environmentId, token, eventOf(connected, `F-${name}-${number}`));
  await waitFor('the state', async () => {
    const { state } = await admin.channels.get(webhookChannelId);
    return state.last_reply?.status_code === 503;
  });
  await visitor.goTo(`/e/${environmentId}/overview`);
  const { page, click } = visitor;
  const told = await tell('a failing endpoint: paused, resumed, recovered', visitor, async () => {
    await visitor.open('Channels');
    await page.getByRole('row').filter({ hasText: webhookName }).getByText(/503/).waitFor();
    await click(page.getByRole('link', { name: webhookName }));
    await recoverEndpoint(visitor, {
      repair: () => {
        answer = 200;
      },
      replayed: () => waitFor('the replays', () => taken.length === 3),
    });
  });
  hooks.endpoint(hookPath(eventKey), status(200));
  return told;
}

/** A change that breaks a template, seen at its first event, and the way back to the version before. */
async function brokenTemplate({ installation, visitor, connected, name }: Round): Promise<Told> {
  const { environmentId } = installation;
  const { token, eventKey } = connected;
  const { page, click } = visitor;
  const next = async (what: string, wanted: string) => {
    let tries = 0;
    await waitFor(
      what,
      async () => {
        const event = eventOf(connected, `B-${name}-${wanted}-${tries++}`);
        return (await deliver(installation, environmentId, token, event)).status === wanted;
      },
      { pollMs: 500 },
    );
  };
  await visitor.goTo(`/e/${environmentId}/overview`);
  return tell('a template broken and rolled back', visitor, async () => {
    await visitor.open('Templates');
    await click(page.getByRole('link', { name: eventKey, exact: true }));
    await page.frameLocator('iframe').getByText('Hello Ada').waitFor();
    const source = page.getByRole('textbox', { name: 'HTML or MJML' });
    await source.fill('<p>Dear {{ recipient.name }}, see {{ payload.nothing }}.</p>');
    await page.getByText('The example has no payload.nothing.').waitFor();
    await click(page.getByLabel('Activate it at once'));
    await click(page.getByRole('button', { name: 'Save as a new version' }));
    await page.getByText('Version 2 is saved and active.').waitFor();
    await next('a delivery to fail', 'partially_delivered');
    await click(page.getByRole('button', { name: 'Roll back (version 1)' }));
    await click(page.getByRole('dialog').getByRole('button', { name: 'Activate' }));
    await page.getByRole('button', { name: 'Deactivate (version 1)' }).waitFor();
    await next('a delivery to succeed', 'delivered');
  });
}

/** The API is away for 30 s while somebody looks at the messages. */
async function outage({ installation, visitor, connected, name }: Round): Promise<Told[]> {
  const { proxy, environmentId } = installation;
  const { page } = visitor;
  await visitor.goTo(`/e/${environmentId}/messages`);
  await page.getByText('· live').waitFor();
  const lost = page.getByText('Not connected.');
  proxy.set('reset');
  const noticed = await tell('an outage of the API: the banner appears', visitor, () => lost.waitFor());
  await wait(Math.max(0, OUTAGE_MS - noticed.seconds * 1_000));
  proxy.set(null);
  const live = await tell('an outage of the API: live again, after it is back', visitor, async () => {
    await lost.waitFor({ state: 'detached' });
    await page.getByText('· live').waitFor();
  });
  const event = eventOf(connected, `O-${name}`);
  await deliver(installation, environmentId, connected.token, event);
  const seen = await tell('an outage of the API: the next event is announced', visitor, () =>
    page.getByRole('button', { name: / new$/ }).waitFor(),
  );
  return [noticed, live, seen];
}

const STORIES = [firstEvent, adaDidNotGetIt, failingEndpoint, brokenTemplate, outage];

/** Every story of the tour, in the order in which they are told. One that fails does not end the tour. */
export async function tellStories(round: Round): Promise<Told[]> {
  const all: Told[] = [];
  for (const story of STORIES) {
    const told = await story(round).catch((error): Told => {
      return { name: story.name, clicks: 0, seconds: 0, error: String(error) };
    });
    all.push(...[told].flat());
  }
  return all;
}
