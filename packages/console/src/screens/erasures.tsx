import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../api/keys.ts';
import { useEnvironment } from '../app/environment.tsx';
import { Change } from '../ui/change.tsx';
import { bind, TextField } from '../ui/form.tsx';
import { formatNumber } from '../ui/format.ts';
import { ListScreen } from '../ui/list.tsx';
import { CopyId, Time } from '../ui/parts.tsx';
import { Status } from '../ui/status.tsx';

function EraseRecipient() {
  const { environmentId, admin } = useEnvironment();
  const [email, setEmail] = useState('');
  const [recipientId, setRecipientId] = useState('');
  const [consumer, setConsumer] = useState('');
  const given = { email: email.trim(), recipient_id: recipientId.trim(), consumer: consumer.trim() };
  const chosen = Object.entries(given).filter(([, text]) => text !== '');
  const isOther = (name: keyof typeof given) => chosen.some(([other]) => other !== name);
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
      <TextField
        label="Address"
        hint="Upper and lower case do not matter."
        type="email"
        required={!isOther('email')}
        disabled={isOther('email')}
        {...bind(email, setEmail)}
      />
      <TextField
        label="Or the id of the recipient"
        hint="The recipient.id of its events."
        disabled={isOther('recipient_id')}
        {...bind(recipientId, setRecipientId)}
      />
      <TextField
        label="Or a consumer"
        hint="All messages of its events."
        disabled={isOther('consumer')}
        {...bind(consumer, setConsumer)}
      />
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
        ...{ label: 'Erase a recipient', operation: 'createErasure', dialog: <EraseRecipient /> },
        ...{ icon: Eraser, variant: 'default' },
      }}
      queryKey={keys.erasures(environmentId)}
      read={(query) => admin.erasures.of(environmentId).page(query)}
      refetchInterval={5_000}
      columns={[
        { name: 'Status', cell: ({ status }) => <Status value={status} /> },
        {
          name: 'Digest of the address or id',
          cell: ({ recipient_sha256 }) => <CopyId value={recipient_sha256} short />,
        },
        {
          name: 'Messages erased',
          isEnd: true,
          cell: ({ messages_erased }) => formatNumber(messages_erased),
        },
        { name: 'Deliveries ended', isEnd: true, cell: ({ runs_cancelled }) => formatNumber(runs_cancelled) },
        { name: 'Requested', isEnd: true, cell: ({ created_at: at }) => <Time at={at} format="short" /> },
        { name: 'Completed', isEnd: true, cell: ({ completed_at: at }) => <Time at={at} format="short" /> },
      ]}
      empty={{
        icon: Eraser,
        title: 'No recipient has been erased',
        command: `npm run postrider -- recipients erase --environment ${environmentId} --email ada@example.com`,
        children: 'When a person asks for it, erase their address here.',
      }}
    />
  );
}
