import bodies from 'virtual:body-schemas';
import { useQuery } from '@tanstack/react-query';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Target, useEnvironment } from '../app/environment.tsx';
import { ErrorNotice } from '../ui/feedback.tsx';
import { Card, CopyId, Facts, Loading, PageHead, Time } from '../ui/parts.tsx';
import { SettingsForm } from '../ui/settings-form.tsx';

/** The name cannot be changed. Names of streams by language are too much for a field: the command line changes them. */
const SKIP = ['name', 'stream_names'];

const { createEnvironment: body } = bodies;
const hasDefault = (name: string) => (body.properties?.[name]?.default ?? null) !== null;
/** Settings with a default always have a value. */
const SCHEMA = { ...body, required: Object.keys(body.properties ?? {}).filter(hasDefault) };

/** The settings of an environment. They apply to events accepted from then on. */
export function Screen() {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const invalidate = useInvalidate();
  const { data, error, refetch } = useQuery({
    queryKey: ['environment-settings', environmentId],
    queryFn: () => admin.environments.get(environmentId),
  });
  return (
    <>
      <PageHead title="Settings" about="What this environment does with events." />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <SettingsForm
            key={JSON.stringify(data)}
            title="What happens to events"
            schema={SCHEMA}
            resource={data}
            skip={SKIP}
            operation="updateEnvironment"
            target={<Target />}
            save={async (patch) => {
              await admin.environments.update(environmentId, patch);
              await invalidate('environment-settings', environmentId);
            }}
          />
          <Card title="Environment">
            <Facts
              items={[
                ['Name', data.name],
                ['Created', <Time key="c" at={data.created_at} />],
                ['Id', <CopyId key="i" value={data.id} />],
              ]}
            />
          </Card>
        </>
      )}
    </>
  );
}
