import type { ConfiguredChannel } from '@postrider/client';
import { Inbox } from 'lucide-react';
import { BASE_URL, keys, useEnvironment } from '../../api/index.ts';
import { ChangeButton, ChangeForm, type Field, type Json, showSecret } from '../../ui/input.ts';

/** How long a secret stays valid beside the new one. */
export const OVERLAP: Field = {
  at: 'overlap_seconds',
  label: 'Overlap',
  kind: 'choice',
  options: [
    ['86400', 'both work for a day'],
    ['604800', 'both work for a week'],
    ['3600', 'both work for an hour'],
    ['0', 'the old one becomes invalid at once'],
  ],
};
export const DEFAULT_OVERLAP = { overlap_seconds: '86400' };
export const overlapOf = ({ overlap_seconds }: Json) => ({ overlap_seconds: Number(overlap_seconds) });

/** Gives a webhook a new signing secret; both sign for a while. */
export function RotateSecret({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin } = useEnvironment();
  return (
    <ChangeForm
      danger
      title={`Rotate the secret of ${channel.name}`}
      action="Rotate the secret"
      fields={[
        {
          ...OVERLAP,
          hint: 'During the overlap each request is signed with both, so that the receiver can switch.',
        },
      ]}
      initial={DEFAULT_OVERLAP}
      change={async (value) => {
        const rotated = await admin.channels.rotateSecret(channel.id, overlapOf(value));
        return 'secret' in rotated ? String(rotated.secret ?? '') : '';
      }}
      shownIn={[keys.channels(environmentId)]}
      after={showSecret('The secret was rotated', 'Signing secret')}
    />
  );
}

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
