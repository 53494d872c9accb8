import { exampleOf } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, useEnvironment, useMay } from '../../api/index.ts';
import { useRead } from '../../ui/display.ts';
import { formatDayTime } from '../../ui/format.ts';
import { bind, InlineSelect } from '../../ui/input.ts';
import { recipientOf } from '../messages/table.tsx';

/** The most active translations that are offered; an environment has at most 100. */
const LANGUAGES = 100;

/** Selects the language of the preview from the environment's languages; by default the recipient's. */
export function Language({ value, onChange }: { value: string; onChange: (locale: string) => void }) {
  const { environmentId, admin } = useEnvironment();
  const [data] = useRead(keys.parts(environmentId, 'translations', 'active'), () =>
    admin.translations.of(environmentId).page({ active: true, limit: LANGUAGES }),
  );
  if (!data || data.data.length === 0) return null;
  const locales = data.data.map(({ locale }) => locale).sort();
  return (
    <InlineSelect
      label="Language"
      options={[['', 'of the recipient'], ...locales.map((locale) => [locale, locale] as const)]}
      {...bind(value, onChange)}
    />
  );
}

const RECENT = 10;

interface ExampleEvent {
  readonly recipient: unknown;
  readonly payload: unknown;
}

const ADA = { email: 'ada@example.com', name: 'Ada Lovelace' };

/** The event that a preview is rendered with: a recent one of this event key, else the example of its schema; null while it loads. */
export function useExample(eventKey: string) {
  const { environmentId, scope, admin } = useEnvironment();
  const may = useMay();
  const [chosen, setChosen] = useState('');
  const recent = useQuery({
    queryKey: keys.examples(environmentId, eventKey),
    // Without content the payload of a message is empty.
    enabled: may('getEnvironmentDeliveryContent'),
    queryFn: () => scope.rows({ event_key: eventKey, limit: RECENT }),
  });
  const fromSchema = useQuery({
    queryKey: keys.examples(environmentId, 'schema', eventKey),
    enabled: may('getEventType'),
    queryFn: async () => exampleOf((await admin.eventTypes.get(environmentId, eventKey)).payload_schema),
  });
  const options = recent.data?.data.filter(({ test }) => !test) ?? [];
  const messageId = chosen || options[0]?.id || '';
  const message = useQuery({
    queryKey: keys.examples(environmentId, 'message', messageId),
    enabled: messageId !== '' && messageId !== 'schema',
    queryFn: () => scope.message(messageId),
  });
  const isLoading = recent.isLoading || message.isLoading || fromSchema.isLoading;
  const loaded: ExampleEvent =
    message.data && messageId !== 'schema'
      ? { recipient: message.data.recipient, payload: message.data.payload }
      : { recipient: ADA, payload: fromSchema.data ?? {} };
  const value = isLoading ? null : loaded;
  return { value, options, messageId, setChosen };
}

/** Chooses the event that the preview is made with. */
export function Example({ example }: { example: ReturnType<typeof useExample> }) {
  const { options, messageId, setChosen } = example;
  const recent = options.map(
    (each) => [each.id, `${recipientOf(each)}, ${formatDayTime(each.created_at)}`] as const,
  );
  return (
    <InlineSelect
      label="With"
      options={[...recent, ['schema', 'The example of the event type']]}
      {...bind(messageId, setChosen)}
    />
  );
}
