import type { PostriderAdmin } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Empty, ErrorNotice, useToast } from '../ui/feedback.tsx';
import { type Column, PagedTable, usePaged } from '../ui/list.tsx';
import { Button, CopyId, PageHead, Time } from '../ui/parts.tsx';
import { Tag } from '../ui/status.tsx';

type Item = Awaited<ReturnType<PostriderAdmin['consoleSessions']['page']>>['data'][number];
type Link = Awaited<ReturnType<PostriderAdmin['consoleLinks']['page']>>['data'][number];

/** Returns a function that ends a session or a link, and reads both lists again. */
function useEnd(run: (id: string) => Promise<unknown>, done: string) {
  const toast = useToast();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: run,
    onSuccess: async () => {
      await Promise.all([invalidate('sessions'), invalidate('links')]);
      toast(done);
    },
  });
}

/** The links that can still be used. Nothing is shown while there are none. */
function Links() {
  const admin = useAdmin();
  const list = usePaged(['links'], (query) => admin.consoleLinks.page(query));
  const revoke = useEnd((id) => admin.consoleLinks.revoke(id), 'The link is revoked.');
  if (!list.rows?.length) return <ErrorNotice error={list.error ?? revoke.error} />;
  const columns: Column<Link>[] = [
    { name: 'For', cell: ({ actor }) => actor },
    {
      name: 'Issued by',
      cell: ({ issued_by }) => (issued_by ? <CopyId value={issued_by} short /> : 'admin token'),
    },
    { name: 'Issued', cell: ({ created_at }) => <Time at={created_at} format="short" /> },
    { name: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} format="short" /> },
    {
      name: 'Actions',
      isEnd: true,
      cell: ({ id, actor }) => (
        <Button small variant="quiet" onClick={() => revoke.mutate(id)}>
          Revoke<span className="visually-hidden"> the link for {actor}</span>
        </Button>
      ),
    },
  ];
  return (
    <section className="stack-tight">
      <h2>Unused links</h2>
      <ErrorNotice error={revoke.error} />
      <PagedTable label="Unused links" list={list} columns={columns} keyOf={({ id }) => id} empty={null} />
    </section>
  );
}

/** Who is signed in to the console, and the links that can open it. */
export function Screen() {
  const admin = useAdmin();
  const list = usePaged(['sessions'], (query) => admin.consoleSessions.page(query));
  const end = useEnd((id) => admin.consoleSessions.end(id), 'The session is ended.');
  const columns: Column<Item>[] = [
    { name: 'Role', cell: ({ role }) => <Tag>{role}</Tag> },
    { name: 'Who', cell: ({ actor }) => actor ?? '–' },
    {
      name: 'Environment',
      cell: ({ environment_id }) => (environment_id ? <CopyId value={environment_id} short /> : 'all'),
    },
    {
      name: 'Link of',
      cell: ({ issued_by }) => (issued_by ? <CopyId value={issued_by} short /> : '–'),
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
        about="Who is signed in to this console. A session that is ended is refused within 5 seconds, and so are the links that it issued."
      />
      <ErrorNotice error={end.error} />
      <PagedTable
        label="Sessions"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="Nobody is signed in">Your own session may have ended: reload the page.</Empty>}
      />
      <Links />
    </>
  );
}
