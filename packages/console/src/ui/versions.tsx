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

/** How versions are compared: each is read completely and shown as text. */
interface Comparing<Whole> {
  readonly queryKey: (id: string) => Key;
  readonly read: (id: string) => Promise<Whole>;
  readonly textOf: (whole: Whole) => string;
}

function Comparison<Whole extends Version>({
  older,
  newer,
  comparing: { queryKey, read, textOf },
}: {
  older: Version;
  newer: Whole;
  comparing: Comparing<Whole>;
}) {
  const [data, placeholder] = useRead(queryKey(older.id), () => read(older.id));
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

/** The verb for activating a version, compared with the active one. */
export const activationVerb = (
  { version }: Pick<Version, 'version'>,
  versions: readonly Version[],
): string => {
  const active = versions.find((each) => each.active);
  return active && version < active.version ? 'Roll back' : 'Activate';
};

/** The versions of the open resource with their states, to compare them, and further actions of `actionsOf`. */
export function VersionsCard<Summary extends Version, Whole extends Version>({
  open,
  versions,
  placeholder,
  linkTo,
  comparing,
  actionsOf,
}: {
  /** The open version. */
  open: Whole;
  /** Undefined while loading. */
  versions: readonly Summary[] | undefined;
  /** What is shown while there are none. */
  placeholder: ReactNode;
  linkTo: (id: string) => string;
  comparing: Comparing<Whole>;
  actionsOf: (version: Summary) => ReactNode;
}) {
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
                  dialog={<Comparison older={each} newer={open} comparing={comparing} />}
                >
                  Compare
                </RowButton>
              )}
              {actionsOf(each)}
            </>
          )}
        />
      )}
    </Card>
  );
}
