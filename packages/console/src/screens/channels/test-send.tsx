import type { ConfiguredChannel, DeliveryRun } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { keys, useAdmin, useEnvironment, useRefresh } from '../../api/index.ts';
import { Notice, useRead } from '../../ui/display.ts';
import { formatDuration } from '../../ui/format.ts';
import { ChangeForm, type Json, text } from '../../ui/input.ts';
import { Dialog } from '../../ui/overlays.tsx';
import { Loading } from '../../ui/parts.tsx';

const OPEN = ['scheduled', 'queued', 'running'];

/** Returns a function that sends a test through a channel, and resolves with the id of its message. */
export function useTestSend() {
  const admin = useAdmin();
  return async (channelId: string, { email = '', eventKey = '' }: Json): Promise<string> => {
    const accepted = await admin.channels.test(channelId, {
      ...(Boolean(eventKey) && { event_key: String(eventKey).trim() }),
      ...(Boolean(email) && { recipient: { email: String(email).trim() } }),
    });
    return accepted.message_id;
  };
}

/** The outcome of a test in words, once it is known. */
export function TestOutcome({ messageId }: { messageId: string }) {
  const { environmentId, scope, screen } = useEnvironment();
  const queryKey = keys.messages(environmentId, messageId, 'test');
  const [run, placeholder, { error }] = useRead(
    queryKey,
    async () => (await scope.messages.deliveries(messageId)).delivery_runs[0] ?? null,
  );
  useRefresh(scope, [queryKey], { concerns: ({ data }) => data.message_id === messageId });
  const link = <Link to={screen`/messages/${messageId}`}>Show what was sent and the reply</Link>;
  if (error) return placeholder;
  const isOpen = !run || OPEN.includes(run.status);
  return (
    <div role="status">
      {isOpen ? <Loading rows={1} label="Waiting for the test" /> : <Ended run={run}>{link}</Ended>}
    </div>
  );
}

function Ended({ run, children: link }: { run: DeliveryRun; children: ReactNode }) {
  const attempt = run.attempts.at(-1);
  const reply = attempt?.response ? `It replied ${attempt.response.status_code}` : 'It accepted the test';
  const took = attempt?.duration_ms == null ? '' : ` after ${formatDuration(attempt.duration_ms)}`;
  return run.status === 'succeeded' ? (
    <Notice tone="ok" title="The test arrived.">
      <p>
        {reply}
        {took}. {link}
      </p>
    </Notice>
  ) : (
    <Notice tone="bad" title="The test failed." isContent>
      <p className="break">{run.last_error?.message ?? run.last_error?.code ?? 'The reason is not known.'}</p>
      {attempt?.response?.body_excerpt && <pre className="break">{attempt.response.body_excerpt}</pre>}
      <p>{link}</p>
    </Notice>
  );
}

const ADDRESS = text('email', 'Recipient’s address (optional)', { placeholder: 'you@example.com' });
const EVENT_KEY = text('eventKey', 'Event key (optional)', {
  hint: 'Its active template is used. Without one, a built-in test is sent.',
});

/** Sends a test through one channel and shows its outcome. */
export function TestSend({ channel }: { channel: ConfiguredChannel }) {
  const send = useTestSend();
  const isEmail = channel.kind === 'email';
  const title = `Send a test through ${channel.name}`;
  const sent = (messageId: string) => (
    <Dialog title={title} close="Close">
      <TestOutcome messageId={messageId} />
    </Dialog>
  );
  return (
    <ChangeForm
      title={title}
      action="Send the test"
      about={<p>It is sent through this channel only, is tried once, and is not counted.</p>}
      fields={isEmail ? [{ ...ADDRESS, label: 'To', required: true }, EVENT_KEY] : [ADDRESS, EVENT_KEY]}
      change={(value) => send(channel.id, value)}
      after={sent}
    />
  );
}
