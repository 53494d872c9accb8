import type { ConsoleSession, Page } from '@postrider/client';
import { call, keys, path, useAdmin, useInvalidate, useMay, useSession } from '../api/index.ts';
import { Empty, ErrorNotice, PagedTable, type PageQuery, Tag, usePaged } from '../ui/display.ts';
import { toast, useTask } from '../ui/input.ts';
import { CopyId, PageHead, RowButton, Time } from '../ui/parts.tsx';

/** Returns a function that ends a session or a link, and reads both lists again. */
function useEnd(end: (id: string) => Promise<unknown>, done: string) {
  const invalidate = useInvalidate();
  const { error, run } = useTask();
  const start = (id: string) =>
    run(async () => {
      await end(id);
      await Promise.all([invalidate(keys.sessions()), invalidate(keys.links())]);
      toast(done);
    });
  return { error, start };
}

/** The links that can still be used. Nothing is shown while there are none. */
function Links() {
  const admin = useAdmin();
  const list = usePaged(keys.links(), (query) => admin.consoleLinks.page(query));
  const revoke = useEnd((id) => admin.consoleLinks.revoke(id), 'The link is revoked.');
  if (!list.rows?.length) return <ErrorNotice error={list.error ?? revoke.error} />;
  return (
    <section className="stack-tight">
      <h2>Unused links</h2>
      <ErrorNotice error={revoke.error} />
      <PagedTable
        label="Unused links"
        list={list}
        empty={null}
        columns={{
          For: ({ actor }) => actor,
          'Issued by': ({ issued_by }) =>
            issued_by ? <CopyId value={issued_by} short /> : 'an administrator',
          Issued: ({ created_at }) => <Time at={created_at} format="short" />,
          Ends: ({ expires_at }) => <Time at={expires_at} format="short" />,
        }}
        actions={({ id, actor }) => (
          <RowButton of={`the link for ${actor}`} onClick={() => void revoke.start(id)}>
            Revoke
          </RowButton>
        )}
      />
    </section>
  );
}

/** How the user signed in, as far as the session shows it. */
function wayOf({ role, operator_id, provider, issued_by }: ConsoleSession): string {
  if (role === 'integrator') return 'token of an environment';
  if (provider) return `provider ${provider}`;
  return operator_id || issued_by ? 'link' : 'admin token';
}

/** The common name of a browser in the text by which it describes itself. */
const browserOf = (userAgent: string) => /(Edg|OPR|Firefox|Chrome|Safari)/.exec(userAgent)?.[1] ?? 'other';

/**
 * Sessions that have not ended: one's own, or those of everybody or of one operator. An ended one is refused within a second,
 * and so are the links that it issued.
 */
export function SessionsTable({ of }: { of: 'me' | 'everybody' | { readonly operatorId: string } }) {
  const session = useSession();
  const admin = useAdmin();
  const read = (query: PageQuery): Promise<Page<ConsoleSession>> => {
    if (of === 'me') return call('GET', '/console/sessions');
    return admin.consoleSessions.page({
      ...query,
      ...(of !== 'everybody' && { operator_id: of.operatorId }),
    });
  };
  const list = usePaged(keys.sessions(of), read);
  const end = useEnd(
    (id) => (of === 'me' ? call('DELETE', path`/console/sessions/${id}`) : admin.consoleSessions.end(id)),
    'The session is ended.',
  );
  return (
    <>
      <ErrorNotice error={end.error} />
      <PagedTable
        label="Sessions"
        list={list}
        columns={{
          Who: ({ id, actor }) => (
            <span className="row">
              <strong className="break">{actor}</strong>
              {id === session.id && <Tag tone="info">this session</Tag>}
            </span>
          ),
          'Signed in by': wayOf,
          From: ({ address }) => address ?? '–',
          Browser: ({ user_agent }) =>
            user_agent ? <span title={user_agent}>{browserOf(user_agent)}</span> : '–',
          'Signed in': ({ created_at }) => <Time at={created_at} format="short" />,
          'Last used': ({ last_used_at }) => <Time at={last_used_at} format="short" />,
          Until: ({ expires_at }) => <Time at={expires_at} format="short" />,
        }}
        actions={({ id, actor }) => (
          <RowButton of={`the session of ${actor}`} onClick={() => void end.start(id)}>
            End
          </RowButton>
        )}
        empty={<Empty title="Nobody is signed in" />}
      />
    </>
  );
}

/** Who is signed in to the console, and the links that can open it; for most operators only their own sessions. */
export function Screen() {
  const isAdministrator = useMay()('listConsoleSessions');
  return (
    <>
      <PageHead
        title={isAdministrator ? 'Sessions' : 'My sessions'}
        about={`${isAdministrator ? 'Who is signed in to this console.' : 'Where you are signed in to this console.'} A session that is ended is refused within a second, and so are the links that it issued.`}
      />
      <SessionsTable of={isAdministrator ? 'everybody' : 'me'} />
      {isAdministrator && <Links />}
    </>
  );
}
