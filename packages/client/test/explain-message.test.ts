import { type Attempt, type DeliveryRun, errorName, explainMessage } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';

const AT = '2026-11-21T09:00:00.000Z';
const ADA = { recipient: { email: 'ada@example.com', name: 'Ada' }, event_key: 'order.shipped' } as const;
const MAIL = { id: 'chn_1', name: 'Mail', kind: 'email' } as DeliveryRun['channel'];
const HOOK = { id: 'chn_2', name: 'Warehouse', kind: 'webhook' } as DeliveryRun['channel'];

const attempt = (error_code: Attempt['error_code'], reply = '', retryable = false) =>
  ({
    number: 1,
    status: error_code ? 'failed' : 'succeeded',
    error_code,
    error_message: null,
    retryable,
    response: reply ? { status_code: Number(reply.slice(0, 3)), body_excerpt: reply } : null,
  }) as Attempt;

const run = (
  channel: DeliveryRun['channel'],
  status: DeliveryRun['status'],
  fields: Partial<DeliveryRun> = {},
) =>
  ({
    id: `run_${channel.id}_${status}`,
    channel,
    status,
    attempt_count: fields.attempts?.length ?? 0,
    max_attempts: 3,
    held_by: null,
    feedback: null,
    attempts: [],
    next_attempt_at: null,
    scheduled_at: null,
    ...fields,
  }) as unknown as DeliveryRun;

const told = (runs: readonly DeliveryRun[], status: 'failed' | 'unrouted' = 'failed') => {
  const { tone, sentence, next, nextAt, steps } = explainMessage({ ...ADA, status }, runs);
  return [tone, sentence, next, nextAt, steps.join()];
};
const feedback = (type: 'bounced' | 'complained' | 'delivered', reason = '') => ({
  attempts: [attempt(null)],
  feedback: { type, permanent: true, at: AT, reason } as DeliveryRun['feedback'],
});

describe('the explanation of a message', () => {
  it('says who did not get it, why in words, and that it will not be tried again', () => {
    const refused = run(MAIL, 'failed', {
      attempts: [attempt('smtp_permanent_rejection', '550 5.1.1 No such user')],
    });
    expect(told([refused, run(HOOK, 'succeeded')])).toEqual([
      'bad',
      'Ada did not get the email: the mailbox does not exist.',
      'It will not be tried again. The other delivery succeeded.',
      null,
      'replay,open_channel',
    ]);
    const error = attempt('webhook_http_error', '500 oops', true);
    expect(told([run(HOOK, 'failed', { attempts: [error, error, error] })]).slice(1, 3)).toEqual([
      'Warehouse did not get the event: the endpoint responded with an error.',
      'All 3 attempts are used: it will not be tried again.',
    ]);
    expect(told([run(MAIL, 'failed', { attempts: [attempt('recipient_suppressed')] })])).toContain(
      'open_suppressions,replay',
    );
  });

  it('is about the delivery that most needs a person, and of each channel about the newest', () => {
    const failed = run(MAIL, 'failed', { attempts: [attempt('template_render_failed')] });
    const retrying = run(HOOK, 'retrying', {
      attempts: [attempt('webhook_timeout', '', true)],
      next_attempt_at: AT,
    });
    expect(told([failed, retrying])[1]).toBe(
      'Ada did not get the email: the template could not be filled with this event.',
    );
    expect(told([failed, retrying, run(MAIL, 'succeeded')])).toEqual([
      'warn',
      'Warehouse has not received the event yet: the endpoint did not respond in time.',
      '1 of 3 attempts are used; it is tried again',
      AT,
      'open_channel',
    ]);
  });

  it('tells what holds a delivery, what comes later, what is on its way, and what was never sent', () => {
    expect(told([run(HOOK, 'queued', { held_by: 'channel_paused' })]).slice(0, 2)).toEqual([
      'warn',
      'Warehouse has not received the event yet: the channel is paused.',
    ]);
    expect(told([run(MAIL, 'scheduled', { scheduled_at: AT })])).toEqual([
      'info',
      'Ada will get the email later.',
      'It is sent',
      AT,
      'cancel',
    ]);
    expect(told([run(MAIL, 'running')])[1]).toBe('The email to Ada is being sent.');
    expect(told([run(MAIL, 'cancelled')])[1]).toBe(
      'Nobody got this event: it was cancelled before it was sent.',
    );
    expect(told([], 'unrouted')).toEqual([
      'warn',
      'Nobody got this event: no channel takes order.shipped.',
      'It is stored, and can be replayed once a channel takes it.',
      null,
      'open_channels,replay',
    ]);
  });

  it('says no more about a sent email than what was reported', () => {
    const taken = { attempts: [attempt(null)] };
    expect(told([run(MAIL, 'succeeded', taken)])[1]).toBe('The mail server accepted the email to Ada.');
    expect(told([run(MAIL, 'succeeded', feedback('delivered'))])[1]).toBe(
      'Ada got the email: it is in the mailbox.',
    );
    expect(told([run(MAIL, 'succeeded', feedback('bounced', '5.2.2 full'))]).slice(0, 3)).toEqual([
      'bad',
      'Ada did not get the email: it came back, because the mailbox is full.',
      'The address is on the suppression list: it no longer gets email.',
    ]);
    expect(told([run(HOOK, 'succeeded', taken), run(MAIL, 'succeeded', feedback('complained'))])[1]).toBe(
      'Ada got the email and reported it as spam.',
    );
  });

  it('names a code that is newer than the client by its words', () => {
    expect(errorName('pigeon_lost')).toBe('Pigeon lost');
  });
});
