import type { BodyOf } from '@postrider/client';
import { keys, useEnvironment, useInvalidate } from '../api/index.ts';
import { useRead } from '../ui/display.ts';
import { type Json, ObjectForm } from '../ui/input.ts';
import { Card, CopyId, Facts, May, PageHead, Time } from '../ui/parts.tsx';
import { Drift } from './drift.tsx';
import { ENVIRONMENT } from './settings-fields.ts';

/** The settings of an environment. They apply to events accepted from then on. */
export function Screen() {
  const { environmentId, admin } = useEnvironment();
  const invalidate = useInvalidate();
  const [data, placeholder] = useRead(keys.environmentSettings(environmentId), () =>
    admin.environments.get(environmentId),
  );
  return (
    <>
      <PageHead title="Settings" about="What this environment does with events." />
      {placeholder}
      {data && (
        <>
          <ObjectForm
            key={JSON.stringify(data)}
            title="What happens to events"
            name={`${environmentId}.settings`}
            stored={data as unknown as Json}
            shapeOf={() => ENVIRONMENT}
            operation="updateEnvironment"
            hasTarget
            save={async (patch) => {
              await admin.environments.update(environmentId, patch as BodyOf<'updateEnvironment'>);
              await Promise.all([
                invalidate(keys.environmentSettings(environmentId)),
                invalidate(keys.drift(environmentId)),
              ]);
            }}
          />
          <May operation="getConfigurationDrift">
            <Drift />
          </May>
          <Card title="Environment">
            <Facts
              items={{
                Name: data.name,
                Created: <Time at={data.created_at} />,
                Id: <CopyId value={data.id} />,
              }}
            />
          </Card>
        </>
      )}
    </>
  );
}
