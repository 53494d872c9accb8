import type { OperationId } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Key } from '../api/keys.ts';
import { Check, useTask } from './form.tsx';
import { type Columns, Table } from './list.tsx';
import { Dialog } from './overlays.tsx';
import { Button, Card, CopyId, Loading, May, RowButton, Time } from './parts.tsx';
import { useRead } from './read.tsx';
import { Status } from './status.tsx';
import { toast } from './toasts.ts';

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

/**
 * Saves what was edited as a new version. Returns its error, and the foot of the editor's card: a choice whether the version becomes
 * active, and the button.
 * @param save stores the version and opens its screen; `note` ends what is then said
 */
export function useNewVersion(
  operation: OperationId,
  save: (activate: boolean) => Promise<Pick<Version, 'version' | 'active'> & { readonly note?: string }>,
  isDisabled: boolean,
) {
  const [activate, setActivate] = useState(false);
  const { busy, error, run, reset } = useTask();
  const start = async () => {
    const { version, active, note = '' } = await save(activate);
    toast(`Version ${version} is saved${active ? ' and active' : ', but not active yet'}.${note}`);
  };
  const foot = (
    <May operation={operation} explain="You cannot save it.">
      <Check
        label="Activate it at once"
        checked={activate}
        onChange={({ target }) => setActivate(target.checked)}
      />
      <Button variant="primary" icon={Save} busy={busy} disabled={isDisabled} onClick={() => void run(start)}>
        Save as a new version
      </Button>
    </May>
  );
  return { error, reset, foot };
}
