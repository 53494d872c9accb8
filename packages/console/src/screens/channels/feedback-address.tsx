import type { ConfiguredChannel } from '@postrider/client';
import { Inbox } from 'lucide-react';
import { BASE_URL, keys, useEnvironment } from '../../api/index.ts';
import { ChangeButton, showSecret } from '../../ui/change.tsx';

const ABOUT = (
  <p className="small muted">
    Anyone with such an address can report. Give each provider its own, and pipe a mail server’s bounces to
    the one that ends in dsn.
  </p>
);

/** A button that makes an address at which providers report bounces and complaints. */
export function FeedbackAddress({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin } = useEnvironment();
  const make = async () => {
    const { feedback_path, sources } = await admin.channels.feedbackToken(channel.id);
    return sources.map((source) => new URL(`${feedback_path.slice(1)}${source}`, BASE_URL).href).join('\n');
  };
  return (
    <ChangeButton
      danger={channel.feedback_token_set}
      label="Feedback address"
      of={channel.name}
      title={`Create a feedback address for ${channel.name}`}
      icon={Inbox}
      operation="rotateChannelFeedbackToken"
      action="Create the address"
      change={make}
      shownIn={[keys.channels(environmentId)]}
      after={showSecret('Where providers report feedback', 'Feedback addresses', ABOUT)}
    >
      <p>
        {channel.feedback_token_set
          ? 'The current address becomes invalid.'
          : 'Bounces and complaints that are reported there appear on the timeline and suppress addresses.'}
      </p>
    </ChangeButton>
  );
}
