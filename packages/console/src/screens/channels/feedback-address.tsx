import type { ConfiguredChannel } from '@postrider/client';
import { useState } from 'react';
import { BASE_URL } from '../../api/connection.ts';
import { useAdmin } from '../../api/session.ts';
import { Target } from '../../app/environment.tsx';
import { Confirm, KEEP_OPEN } from '../../ui/overlays.tsx';
import { SecretDialog } from '../../ui/secret-once.tsx';

/** Creates the address for feedback on a channel. */
export function FeedbackAddress({
  channel,
  onClose,
  onDone,
}: {
  channel: ConfiguredChannel;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const admin = useAdmin();
  const [addresses, setAddresses] = useState<readonly string[] | null>(null);
  const make = async () => {
    const { feedback_path, sources } = await admin.channels.feedbackToken(channel.id);
    setAddresses(sources.map((source) => new URL(`${feedback_path.slice(1)}${source}`, BASE_URL).href));
    await onDone();
    return KEEP_OPEN;
  };
  if (addresses)
    return (
      <SecretDialog
        title="Where providers report feedback"
        label="Feedback addresses"
        value={addresses.join('\n')}
        onClose={onClose}
      >
        <p className="small muted">
          Anyone with such an address can report. Give each provider its own, and pipe a mail server’s bounces
          to the one that ends in dsn.
        </p>
      </SecretDialog>
    );
  return (
    <Confirm
      open
      danger={channel.feedback_token_set}
      onClose={onClose}
      title={`Create a feedback address for ${channel.name}`}
      action="Create the address"
      target={<Target />}
      onConfirm={make}
    >
      <p>
        {channel.feedback_token_set
          ? 'The current address becomes invalid.'
          : 'Bounces and complaints that are reported there appear on the timeline and suppress addresses.'}
      </p>
    </Confirm>
  );
}
