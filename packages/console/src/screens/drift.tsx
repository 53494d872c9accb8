import type { ConfigurationDrift } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { keys, useEnvironment } from '../api/index.ts';
import { Table, useRead } from '../ui/display.ts';
import { capitalised } from '../ui/format.ts';
import { Card, CodeBlock, CopyId, Facts, May, Time } from '../ui/parts.tsx';
import { screenOf } from './screen-of.ts';

type Drifted = ConfigurationDrift['changes'][number];

const ACTIONS: Readonly<Record<Drifted['action'], string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Removed',
};

/** What the screen of a resource has in its path. */
const idOf = ({ kind, key, id, action }: Drifted) =>
  kind === 'event_type' && action !== 'delete' ? key : id;

const nameOf = ({ kind, key }: Drifted) => capitalised(`${kind.replaceAll('_', ' ')} ${key}`.trim());

function Changes({ changes }: { changes: readonly Drifted[] }) {
  const { environmentId } = useEnvironment();
  return (
    <Table
      label="Changed since then"
      rows={changes}
      keyOf={({ kind, key }) => `${kind} ${key}`}
      columns={{
        What: (each) => (
          <Link className="break" to={screenOf(each.kind, environmentId, idOf(each))}>
            {nameOf(each)}
          </Link>
        ),
        Change: { end: ({ action }) => ACTIONS[action] },
      }}
    />
  );
}

function Applied({ drift: { applied, changes } }: { drift: ConfigurationDrift }) {
  const { environmentId } = useEnvironment();
  const exported = `npm run postrider -- config export --environment ${environmentId} --out config`;
  if (!applied)
    return (
      <div className="stack">
        <p className="muted">
          No configuration has been applied from code yet. Begin with the present one, in a folder of files:
        </p>
        <CodeBlock label="Export the configuration" text={exported} />
      </div>
    );
  return (
    <div className="stack">
      <Facts
        items={{
          Applied: applied.at !== null && <Time at={applied.at} />,
          By: applied.actor,
          'Request id': applied.request_id !== null && <CopyId value={applied.request_id} short />,
        }}
      />
      {changes.length === 0 ? (
        <p className="muted">Nothing was changed since then.</p>
      ) : (
        <>
          <p>
            The next apply undoes these changes, unless the folder has them. What was created stays without{' '}
            <code>--prune</code>.{' '}
            <May operation="listAuditLog">
              <Link to="/audit-log" search={{ environment_id: environmentId }}>
                Who changed it
              </Link>
            </May>
          </p>
          <Changes changes={changes} />
          <CodeBlock label="Take the changes into the folder" text={exported} />
        </>
      )}
    </div>
  );
}

/** When the configuration was last applied from a folder of files, and what has changed since. */
export function Drift() {
  const { environmentId, admin } = useEnvironment();
  const [data, placeholder] = useRead(keys.drift(environmentId), () =>
    admin.environments.configurationDrift(environmentId),
  );
  return (
    <Card title="Configuration as code">
      {placeholder}
      {data && <Applied drift={data} />}
    </Card>
  );
}
