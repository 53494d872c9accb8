import type { Erasure } from '@postrider/client';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Target, useEnvironment } from '../app/environment.tsx';
import { Empty, useToast } from '../ui/feedback.tsx';
import { TextField } from '../ui/form.tsx';
import { formatNumber } from '../ui/format.ts';
import { type Column, PagedTable, usePaged } from '../ui/list.tsx';
import { Confirm } from '../ui/overlays.tsx';
import { Button, CopyId, PageHead, Time } from '../ui/parts.tsx';
import { Status } from '../ui/status.tsx';

const COLUMNS: Column<Erasure>[] = [
  { name: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    name: 'Digest of the address or id',
    cell: ({ recipient_sha256 }) => <CopyId value={recipient_sha256} short />,
  },
  { name: 'Messages erased', isEnd: true, cell: ({ messages_erased }) => formatNumber(messages_erased) },
  { name: 'Deliveries ended', isEnd: true, cell: ({ runs_cancelled }) => formatNumber(runs_cancelled) },
  { name: 'Requested', isEnd: true, cell: ({ created_at }) => <Time at={created_at} format="short" /> },
  {
    name: 'Completed',
    isEnd: true,
    cell: ({ completed_at }) => (completed_at ? <Time at={completed_at} format="short" /> : '–'),
  },
];

/** Erasures of recipients' data. */
export function Screen() {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const toast = useToast();
  const invalidate = useInvalidate();
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [recipientId, setRecipientId] = useState('');
  const list = usePaged(
    ['erasures', environmentId],
    (query) => admin.erasures.of(environmentId).page(query),
    {
      refetchInterval: 5_000,
    },
  );
  return (
    <>
      <PageHead
        title="Erasures"
        about="Removes what is stored about a recipient: address, payloads, contents and replies."
      >
        <Button icon={Eraser} onClick={() => setOpen(true)}>
          Erase a recipient
        </Button>
      </PageHead>
      <PagedTable
        label="Erasures"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={Eraser}
            title="No recipient has been erased"
            command={`npm run postrider -- recipients erase --environment ${environmentId} --email ada@example.com`}
          >
            When a person asks for it, erase their address here.
          </Empty>
        }
      />
      <Confirm
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Erase a recipient"
        action="Erase permanently"
        target={<Target />}
        onConfirm={async () => {
          const recipient = email.trim() ? { email: email.trim() } : { recipient_id: recipientId.trim() };
          await admin.erasures.create(environmentId, recipient);
          setEmail('');
          setRecipientId('');
          await invalidate('erasures', environmentId);
          toast('The erasure continues in the background.');
        }}
      >
        <p>
          Every stored message to this recipient loses its recipient and payload, and waiting deliveries end.
          This cannot be undone.
        </p>
        <TextField
          label="Address"
          hint="Upper and lower case do not matter."
          type="email"
          required={recipientId.trim() === ''}
          disabled={recipientId.trim() !== ''}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Or the id of the recipient"
          hint="The recipient.id of its events."
          disabled={email.trim() !== ''}
          value={recipientId}
          onChange={(event) => setRecipientId(event.target.value)}
        />
      </Confirm>
    </>
  );
}
