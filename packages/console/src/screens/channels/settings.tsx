import type { ConfiguredChannel } from '@postrider/client';
import { useAdmin } from '../../api/session.ts';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { schemaOfKind } from './create.tsx';

/** The kind cannot be changed; the others have their own section on the screen. */
const SKIP = ['kind', 'enabled', 'filter'];

/** The settings of a channel, as a form for its kind's schema. */
export function ChannelSettings({
  channel,
  onSaved,
}: {
  channel: ConfiguredChannel;
  onSaved: () => Promise<unknown>;
}) {
  const admin = useAdmin();
  const schema = schemaOfKind(channel.kind);
  if (!schema) return null;
  return (
    <SettingsForm
      title="Settings"
      schema={schema}
      resource={channel}
      skip={SKIP}
      operation="updateChannel"
      save={async (patch) => {
        await admin.channels.update(channel.id, patch);
        await onSaved();
      }}
    />
  );
}
