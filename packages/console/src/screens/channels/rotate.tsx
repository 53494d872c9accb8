import type { ConfiguredChannel } from '@postrider/client';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Change, showSecret } from '../../ui/change.tsx';
import { bind, SelectField } from '../../ui/form.tsx';

export const OVERLAPS = [
  ['86400', 'both work for a day'],
  ['604800', 'both work for a week'],
  ['3600', 'both work for an hour'],
  ['0', 'the old one becomes invalid at once'],
] as const;

/** Gives a webhook a new signing secret; both sign for a while. */
export function RotateSecret({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin } = useEnvironment();
  const [overlap, setOverlap] = useState<string>(OVERLAPS[0][0]);
  return (
    <Change
      title={`Rotate the secret of ${channel.name}`}
      action="Rotate the secret"
      change={async () => {
        const rotated = await admin.channels.rotateSecret(channel.id, { overlap_seconds: Number(overlap) });
        return 'secret' in rotated ? String(rotated.secret) : '';
      }}
      shownIn={[keys.channels(environmentId)]}
      after={showSecret('The secret was rotated', 'Signing secret')}
    >
      <SelectField
        label="Overlap"
        hint="During the overlap each request is signed with both, so that the receiver can switch."
        options={OVERLAPS}
        {...bind(overlap, setOverlap)}
      />
    </Change>
  );
}
