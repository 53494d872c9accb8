import type { BodyOf, ConfiguredChannel } from '@postrider/client';
import { keys, useEnvironment, useInvalidate } from '../../api/index.ts';
import { type Json, ObjectForm } from '../../ui/input.ts';
import { PROVIDER_NAMES, providerOf, SEVERAL, withProvider } from './forms/email.ts';
import { shapeOfKind } from './forms/index.ts';
import { Cards } from './logos.tsx';

/** Chooses how an email channel sends: through one provider, or through several senders. */
export function ProviderChoice({ value, onChange }: { value: Json; onChange: (value: Json) => void }) {
  return (
    <Cards
      legend="Send through"
      options={[...Object.entries(PROVIDER_NAMES), [SEVERAL, 'Several', 'with failover']]}
      value={providerOf(value)}
      onChange={(chosen) => onChange(withProvider(value, chosen))}
    />
  );
}

const SETTINGS = [
  ...['name', 'event_keys', 'config', 'retry', 'failure_policy', 'operational', 'operational_email'],
  ...['ordering', 'on_exhausted', 'max_per_second', 'max_in_flight'],
];

export function ChannelSettings({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin } = useEnvironment();
  const invalidate = useInvalidate();
  const stored: Json = Object.fromEntries(
    Object.entries(channel).filter(([name]) => SETTINGS.includes(name)),
  );
  return (
    <ObjectForm
      key={channel.updated_at}
      name={channel.id}
      title="Settings"
      stored={stored}
      shapeOf={(value) => shapeOfKind(channel.kind, value)}
      operation="updateChannel"
      above={
        channel.kind === 'email'
          ? (value, change) => <ProviderChoice value={value} onChange={change} />
          : undefined
      }
      save={async (patch) => {
        await admin.channels.update(channel.id, patch as BodyOf<'updateChannel'>);
        await invalidate(keys.channels(environmentId));
      }}
    />
  );
}
