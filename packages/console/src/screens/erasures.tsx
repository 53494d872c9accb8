import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { keys, useEnvironment } from '../api/index.ts';
import { ListScreen, Status } from '../ui/display.ts';
import { formatNumber } from '../ui/format.ts';
import { bind, Change, TextField } from '../ui/input.ts';
import { CopyId, Time } from '../ui/parts.tsx';

/** What names a recipient: one of these. */
const NAMES = [
  ['email', 'Address', 'Case is ignored.'],
  ['recipient_id', 'Or the id of the recipient', 'The recipient.id of its events.'],
  ['consumer', 'Or a consumer', 'All messages of its events.'],
] as const;

function EraseRecipient() {
  const { environmentId, admin } = useEnvironment();
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const chosen = Object.entries(given).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []));
  const isOther = (name: string) => chosen.some(([other]) => other !== name);
  return (
    <Change
      title="Erase a recipient"
      action="Erase permanently"
      change={() => admin.erasures.create(environmentId, Object.fromEntries(chosen))}
      shownIn={[keys.erasures(environmentId)]}
      done="The erasure continues in the background."
    >
      <p>
        Every stored message to this recipient loses its recipient and payload, and waiting deliveries end.
        This cannot be undone.
      </p>
      {NAMES.map(([name, label, hint]) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          {...(name === 'email' && { type: 'email', required: !isOther(name) })}
          disabled={isOther(name)}
          {...bind(given[name] ?? '', (text) => setGiven({ ...given, [name]: text }))}
        />
      ))}
    </Change>
  );
}

/** Erasures of recipients' data. */
export function Screen() {
  const { environmentId, admin } = useEnvironment();
  return (
    <ListScreen
      title="Erasures"
      about="Removes what is stored about a recipient: address, payloads, contents and replies."
      create={{
        label: 'Erase a recipient',
        operation: 'createErasure',
        dialog: <EraseRecipient />,
        icon: Eraser,
        variant: 'default',
      }}
      queryKey={keys.erasures(environmentId)}
      read={(query) => admin.erasures.of(environmentId).page(query)}
      refetchInterval={5_000}
      columns={{
        Status: ({ status }) => <Status value={status} />,
        'Digest of the address or id': ({ recipient_sha256 }) => <CopyId value={recipient_sha256} short />,
        'Messages erased': { end: ({ messages_erased }) => formatNumber(messages_erased) },
        'Deliveries ended': { end: ({ runs_cancelled }) => formatNumber(runs_cancelled) },
        Requested: { end: ({ created_at: at }) => <Time at={at} format="short" /> },
        Completed: { end: ({ completed_at: at }) => <Time at={at} format="short" /> },
      }}
      empty={{
        icon: Eraser,
        title: 'No recipient has been erased',
        command: `npm run postrider -- recipients erase --environment ${environmentId} --email ada@example.com`,
        children: 'When a person asks for it, erase their address here.',
      }}
    />
  );
}
