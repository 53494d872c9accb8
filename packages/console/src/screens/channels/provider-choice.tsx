import type { Json } from '../../ui/fields.ts';
import { PROVIDER_NAMES, providerOf, SEVERAL, withProvider } from './forms/email.ts';
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
