import type { PostriderAdmin } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Empty, ErrorNotice, useToast } from '../ui/feedback.tsx';
import { type Column, PagedTable, usePaged } from '../ui/list.tsx';
import { Button, CopyId, PageHead, Time } from '../ui/parts.tsx';
import { Tag } from '../ui/status.tsx';

type Item = Awaited<ReturnType<PostriderAdmin['consoleSessions']['page']>>['data'][number];

/** Who is signed in to the console. */
export function Screen() {
  const toast = useToast();
  const invalidate = useInvalidate();
  const admin = useAdmin();
  const list = usePaged(['sessions'], (query) => admin.consoleSessions.page(query));
  const end = useMutation({
    mutationFn: (id: string) => admin.consoleSessions.end(id),
    onSuccess: async () => {
      await invalidate('sessions');
      toast('The session is ended.');
    },
  });
  const columns: Column<Item>[] = [
    { name: 'Role', cell: ({ role }) => <Tag>{role}</Tag> },
    { name: 'Who', cell: ({ actor }) => actor ?? '–' },
    {
      name: 'Environment',
      cell: ({ environment_id }) => (environment_id ? <CopyId value={environment_id} short /> : 'all'),
    },
    { name: 'Signed in', cell: ({ created_at }) => <Time at={created_at} format="short" /> },
    { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} format="short" /> },
    { name: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} format="short" /> },
    {
      name: 'Actions',
      isEnd: true,
      cell: ({ id, role }) => (
        <Button small variant="quiet" onClick={() => end.mutate(id)}>
          End<span className="visually-hidden"> the session of an {role}</span>
        </Button>
      ),
    },
  ];
  return (
    <>
      <PageHead
        title="Sessions"
        about="Who is signed in to this console. A session that is ended is refused within 5 seconds."
      />
      <ErrorNotice error={end.error} />
      <PagedTable
        label="Sessions"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="Nobody is signed in">Not even you: reload the page.</Empty>}
      />
    </>
  );
}
