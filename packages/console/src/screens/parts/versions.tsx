import type { ChangedTemplatePart, TemplatePart } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAdmin, useInvalidate } from '../../api/session.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { ErrorNotice, useToast } from '../../ui/feedback.tsx';
import { Confirm, Dialog } from '../../ui/overlays.tsx';
import { Button, Card, Loading, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { contentOf, nameOf, type PartSummary, type PartType, partsOf } from './types.ts';

const Diff = lazy(() => import('../../ui/diff.tsx'));

function Comparison({
  type,
  older,
  newer,
  onClose,
}: {
  type: PartType;
  older: PartSummary;
  newer: TemplatePart;
  onClose: () => void;
}) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const { data, error } = useQuery({
    queryKey: ['parts', environmentId, type, older.id],
    queryFn: () => partsOf(admin, type, environmentId).get(older.id),
  });
  const label = `From version ${older.version} to version ${newer.version}`;
  return (
    <Dialog open wide onClose={onClose} title={label}>
      <ErrorNotice error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Suspense fallback={<Loading />}>
          <Diff before={contentOf(data)} after={contentOf(newer)} label={label} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** The versions of the same name or language: compare, activate, roll back. */
export function PartVersions({
  type,
  part,
  onChanged,
}: {
  type: PartType;
  part: TemplatePart;
  onChanged: (changed: ChangedTemplatePart) => void;
}) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const toast = useToast();
  const invalidate = useInvalidate();
  const [compared, setCompared] = useState<PartSummary | null>(null);
  const [chosen, setChosen] = useState<PartSummary | null>(null);
  const name = nameOf(part);
  const { data, error } = useQuery({
    queryKey: ['parts', environmentId, type, 'versions', name],
    queryFn: () => partsOf(admin, type, environmentId).versions(name),
  });
  const active = data?.find((each) => each.active);
  const activate = async () => {
    if (!chosen) return;
    const changed = await partsOf(admin, type, environmentId).activate(chosen.id);
    await Promise.all([invalidate('parts', environmentId), invalidate('templates', environmentId)]);
    onChanged(changed);
    toast(`Version ${chosen.version} is active within 5 seconds.`);
  };
  return (
    <Card title="Versions" flush>
      <ErrorNotice error={error} />
      {!data && !error && <Loading />}
      {data && (
        <div className="table-wrap">
          <table className="table" aria-label="Versions">
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">State</th>
                <th scope="col">Made</th>
                <th scope="col" className="end">
                  Actions
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((each) => (
                <tr key={each.id} aria-current={each.id === part.id ? 'true' : undefined}>
                  <td>
                    <Link to={`/e/${environmentId}/parts/${type}/${each.id}` as string}>
                      Version {each.version}
                    </Link>
                  </td>
                  <td>
                    <Status value={each.active ? 'active' : 'inactive'} />
                  </td>
                  <td>
                    <Time at={each.created_at} format="short" />
                  </td>
                  <td className="end">
                    {each.id !== part.id && (
                      <Button small variant="quiet" onClick={() => setCompared(each)}>
                        Compare<span className="visually-hidden"> with version {each.version}</span>
                      </Button>
                    )}
                    {!each.active && (
                      <Button small variant="quiet" onClick={() => setChosen(each)}>
                        {active && each.version < active.version ? 'Roll back to it' : 'Activate'}
                        <span className="visually-hidden"> (version {each.version})</span>
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {compared && <Comparison type={type} older={compared} newer={part} onClose={() => setCompared(null)} />}
      <Confirm
        open={chosen !== null}
        danger={false}
        onClose={() => setChosen(null)}
        title={`Activate version ${chosen?.version ?? ''} of ${name}`}
        action="Activate"
        target={<Target />}
        onConfirm={activate}
      >
        <p>
          All active templates that use it get a new version with it, or none of them if one could not be
          rendered. What was sent keeps its look.
        </p>
      </Confirm>
    </Card>
  );
}
