import type { ConfiguredChannel } from '@postrider/client';
import { useState } from 'react';
import { useAdmin } from '../../api/session.ts';
import { Target } from '../../app/environment.tsx';
import { SelectField } from '../../ui/form.tsx';
import { Confirm, KEEP_OPEN } from '../../ui/overlays.tsx';
import { SecretDialog } from '../../ui/secret-once.tsx';

export const OVERLAPS = [
  ['86400', 'both work for a day'],
  ['604800', 'both work for a week'],
  ['3600', 'both work for an hour'],
  ['0', 'the old one becomes invalid at once'],
] as const;

/** Gives a webhook a new signing secret; both sign for a while. */
export function RotateSecret({
  channel,
  onClose,
  onDone,
}: {
  channel: ConfiguredChannel;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const admin = useAdmin();
  const [overlap, setOverlap] = useState<string>(OVERLAPS[0][0]);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null)
    return (
      <SecretDialog title="The secret was rotated" label="Signing secret" value={secret} onClose={onClose} />
    );
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Rotate the secret of ${channel.name}`}
      action="Rotate the secret"
      target={<Target />}
      onConfirm={async () => {
        const rotated = await admin.channels.rotateSecret(channel.id, { overlap_seconds: Number(overlap) });
        setSecret('secret' in rotated ? String(rotated.secret) : '');
        await onDone();
        return KEEP_OPEN;
      }}
    >
      <SelectField
        label="Overlap"
        hint="During the overlap each request is signed with both, so that the receiver can switch."
        options={OVERLAPS}
        value={overlap}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </Confirm>
  );
}
