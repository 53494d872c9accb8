import type { ConfiguredChannel } from '@postrider/client';
import { keys, useEnvironment } from '../../api/index.ts';
import { showSecret } from '../../ui/change.tsx';
import type { Field, Json } from '../../ui/fields.ts';
import { ChangeForm } from '../../ui/object-form.tsx';

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
        return 'secret' in rotated ? String(rotated.secret) : '';
      }}
      shownIn={[keys.channels(environmentId)]}
      after={showSecret('The secret was rotated', 'Signing secret')}
    />
  );
}
