import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Key } from '../api/keys.ts';
import { type Columns, Table } from './list.tsx';
import { Dialog } from './overlays.tsx';
import { Card, CopyId, Loading, RowButton, Time } from './parts.tsx';
import { useRead } from './read.tsx';
import { Status } from './status.tsx';

const Diff = lazy(() => import('./diff.tsx'));

/** A version in a list. */
export interface Version {
  readonly id: string;
  readonly version: number;
  readonly active: boolean;
  readonly created_at: string;
}

/** The columns of a list of versions besides their names. */
export const VERSION_COLUMNS: Columns<Version> = {
  Version: ({ version }) => <span className="number">{version}</span>,
  State: ({ active }) => <Status value={active ? 'active' : 'inactive'} />,
  Id: ({ id }) => <CopyId value={id} short />,
  Made: { end: ({ created_at }) => <Time at={created_at} format="short" /> },
};

/** How the versions of something are read: all of them, and one completely, which is compared as text. */
interface VersionQueries<Summary, Whole> {
  readonly listKey: Key;
  readonly list: () => Promise<readonly Summary[]>;
  readonly oneKey: (id: string) => Key;
  readonly one: (id: string) => Promise<Whole>;
  readonly textOf: (whole: Whole) => string;
}

interface ComparisonProps<Whole> extends Pick<VersionQueries<never, Whole>, 'oneKey' | 'one' | 'textOf'> {
  readonly older: Version;
  readonly newer: Whole;
}

function Comparison<Whole extends Version>({ older, newer, oneKey, one, textOf }: ComparisonProps<Whole>) {
  const [data, placeholder] = useRead(oneKey(older.id), () => one(older.id));
  const label = `From version ${older.version} to version ${newer.version}`;
  return (
    <Dialog wide title={label}>
      {placeholder}
      {data && (
        <Suspense fallback={<Loading />}>
          <Diff before={textOf(data)} after={textOf(newer)} label={label} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** The versions of the open resource with their states, to compare them, and further actions of `actionsOf`. */
export function VersionsCard<Summary extends Version, Whole extends Version>({
  open,
  linkTo,
  actionsOf,
  listKey,
  list,
  ...comparing
}: VersionQueries<Summary, Whole> & {
  /** The open version. */
  readonly open: Whole;
  readonly linkTo: (id: string) => string;
  /** Gets the verb for activating the version, compared with the active one. */
  readonly actionsOf: (version: Summary, verb: string) => ReactNode;
}) {
  const [versions, placeholder] = useRead(listKey, list);
  const active = versions?.find((each) => each.active);
  const verbOf = ({ version }: Version) => (active && version < active.version ? 'Roll back' : 'Activate');
  return (
    <Card title="Versions" flush>
      {placeholder}
      {versions && (
        <Table
          label="Versions"
          rows={versions}
          isCurrent={({ id }) => id === open.id}
          columns={{
            Version: ({ id, version }) => <Link to={linkTo(id)}>Version {version}</Link>,
            State: ({ active }) => <Status value={active ? 'active' : 'inactive'} />,
            Made: ({ created_at }) => <Time at={created_at} format="short" />,
          }}
          actions={(each) => (
            <>
              {each.id !== open.id && (
                <RowButton
                  of={`with version ${each.version}`}
                  dialog={<Comparison older={each} newer={open} {...comparing} />}
                >
                  Compare
                </RowButton>
              )}
              {actionsOf(each, verbOf(each))}
            </>
          )}
        />
      )}
    </Card>
  );
}
