import type { ConfiguredChannel } from '@postrider/client';
import { BASE_URL } from '../../api/connection.ts';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { SecretChange } from '../../ui/change.tsx';

const ABOUT = (
  <p className="small muted">
    Anyone with such an address can report. Give each provider its own, and pipe a mail server’s bounces to
    the one that ends in dsn.
  </p>
);

export function FeedbackAddress({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin } = useEnvironment();
  const make = async () => {
    const { feedback_path, sources } = await admin.channels.feedbackToken(channel.id);
    return sources.map((source) => new URL(`${feedback_path.slice(1)}${source}`, BASE_URL).href).join('\n');
  };
  return (
    <SecretChange
      danger={channel.feedback_token_set}
      title={`Create a feedback address for ${channel.name}`}
      action="Create the address"
      change={make}
      shownIn={[keys.channels(environmentId)]}
      secret={{ title: 'Where providers report feedback', label: 'Feedback addresses', about: ABOUT }}
    >
      <p>
        {channel.feedback_token_set
          ? 'The current address becomes invalid.'
          : 'Bounces and complaints that are reported there appear on the timeline and suppress addresses.'}
      </p>
    </SecretChange>
  );
}
