import type { ConfiguredChannel } from '@postrider/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { path } from '../../api/path.ts';
import { useAdmin } from '../../api/session.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { bind, TextField } from '../../ui/form.tsx';
import { Confirm } from '../../ui/overlays.tsx';

/** Sends a test through one channel and follows it. */
export function TestSend({ channel, onClose }: { channel: ConfiguredChannel; onClose: () => void }) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [eventKey, setEventKey] = useState('');
  const send = async () => {
    const accepted = await admin.channels.test(channel.id, {
      ...(eventKey && { event_key: eventKey.trim() }),
      ...(email && { recipient: { email: email.trim() } }),
    });
    await navigate({ to: path`/e/${environmentId}/messages/${accepted.message_id}` as string });
  };
  return (
    <Confirm
      open
      danger={false}
      onClose={onClose}
      title={`Send a test through ${channel.name}`}
      action="Send the test"
      target={<Target />}
      onConfirm={send}
    >
      <p>It is sent through this channel only, is tried once, and is not counted.</p>
      <TextField
        label={channel.kind === 'email' ? 'To' : 'Recipient’s address (optional)'}
        required={channel.kind === 'email'}
        placeholder="you@example.com"
        {...bind(email, setEmail)}
      />
      <TextField
        label="Event key (optional)"
        hint="Its active template is used; postrider.test when empty."
        {...bind(eventKey, setEventKey)}
      />
    </Confirm>
  );
}
