import type { Template, TemplateSummary } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAdmin, useInvalidate } from '../../api/session.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { ErrorNotice, useToast } from '../../ui/feedback.tsx';
import { Confirm, Dialog } from '../../ui/overlays.tsx';
import { Button, Card, Loading, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { draftOf } from './draft.ts';

const Diff = lazy(() => import('../../ui/diff.tsx'));

/** A version as one text, part after part. */
function textOf(template: Template): string {
  const { subject, html, text, body, channel_kind } = draftOf(template);
  if (channel_kind !== 'email') return body;
  return [`Subject: ${subject}`, '', html, '', text && `Text:\n${text}`].join('\n');
}

function Comparison({
  older,
  newer,
  onClose,
}: {
  older: TemplateSummary;
  newer: Template;
  onClose: () => void;
}) {
  const admin = useAdmin();
  const { data, error } = useQuery({
    queryKey: ['templates', older.environment_id, older.id],
    queryFn: () => admin.templates.get(older.id),
  });
  const label = `From version ${older.version} to version ${newer.version}`;
  return (
    <Dialog open wide onClose={onClose} title={label}>
      <ErrorNotice error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Suspense fallback={<Loading />}>
          <Diff before={textOf(data)} after={textOf(newer)} label={label} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** The versions of the same template: compare, activate, roll back. */
export function Versions({ template }: { template: Template }) {
  const { environmentId } = useEnvironment();
  const { event_key, channel_kind } = template;
  const admin = useAdmin();
  const toast = useToast();
  const invalidate = useInvalidate();
  const [compared, setCompared] = useState<TemplateSummary | null>(null);
  const [chosen, setChosen] = useState<{ version: TemplateSummary; active: boolean } | null>(null);
  const { data, error } = useQuery({
    queryKey: ['templates', environmentId, 'versions', event_key, channel_kind],
    queryFn: () => admin.templates.of(environmentId).page({ event_key, channel_kind, limit: 50 }),
  });
  const active = data?.data.find((each) => each.active);
  const verb = ({ version }: TemplateSummary) =>
    active && version < active.version ? 'Roll back to it' : 'Activate';
  const change = async () => {
    if (!chosen) return;
    const { id, version } = chosen.version;
    await (chosen.active ? admin.templates.activate(id) : admin.templates.deactivate(id));
    await invalidate('templates', environmentId);
    toast(chosen.active ? `Version ${version} is active within 5 seconds.` : 'No version is active now.');
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
              {data.data.map((each) => (
                <tr key={each.id} aria-current={each.id === template.id ? 'true' : undefined}>
                  <td>
                    <Link to={`/e/${environmentId}/templates/${each.id}` as string}>
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
                    {each.id !== template.id && (
                      <Button small variant="quiet" onClick={() => setCompared(each)}>
                        Compare<span className="visually-hidden"> with version {each.version}</span>
                      </Button>
                    )}
                    <Button
                      small
                      variant="quiet"
                      onClick={() => setChosen({ version: each, active: !each.active })}
                    >
                      {each.active ? 'Deactivate' : verb(each)}
                      <span className="visually-hidden"> (version {each.version})</span>
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {compared && <Comparison older={compared} newer={template} onClose={() => setCompared(null)} />}
      {chosen && (
        <Confirm
          open
          danger={!chosen.active}
          onClose={() => setChosen(null)}
          title={
            chosen.active
              ? `Activate version ${chosen.version.version}`
              : `Deactivate version ${chosen.version.version}`
          }
          action={chosen.active ? 'Activate' : 'Deactivate'}
          target={<Target />}
          onConfirm={change}
        >
          <p>
            {chosen.active
              ? `Events with ${event_key} that are accepted from now on are delivered with this version.`
              : channel_kind === 'email'
                ? `Events with ${event_key} that an email channel takes are refused until a version is active.`
                : 'The default body is sent until a version is active.'}
          </p>
        </Confirm>
      )}
    </Card>
  );
}
