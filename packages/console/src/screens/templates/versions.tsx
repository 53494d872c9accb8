import type { Template } from '@postrider/client';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { ChangeButton } from '../../ui/change.tsx';
import { toJson } from '../../ui/format.ts';
import { useRead } from '../../ui/read.tsx';
import { activationVerb, VersionsCard } from '../../ui/versions.tsx';
import { draftOf } from './draft.ts';

/** A version as one text, for comparison. */
function textOf(template: Template): string {
  const { subject, html, text, body, channel_kind, envelope } = draftOf(template);
  if (channel_kind !== 'email') return body;
  const head = Object.entries(envelope).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${typeof value === 'string' ? value : toJson(value)}`],
  );
  return [`Subject: ${subject}`, ...head, '', html, '', text && `Text:\n${text}`].join('\n');
}

/** The versions of a template: compare, activate, roll back. */
export function Versions({ template }: { template: Template }) {
  const { environmentId, admin, screen } = useEnvironment();
  const { event_key, channel_kind } = template;
  const [data, reading] = useRead(keys.templates(environmentId, 'versions', event_key, channel_kind), () =>
    admin.templates.of(environmentId).page({ event_key, channel_kind, limit: 50 }),
  );
  const comparing = {
    queryKey: (id: string) => keys.templates(environmentId, id),
    read: (id: string) => admin.templates.get(id),
    textOf,
  };
  return (
    <VersionsCard
      open={template}
      versions={data?.data}
      reading={reading}
      linkTo={(id) => screen`/templates/${id}`}
      comparing={comparing}
      actionsOf={({ id, version, active }) => (
        <ChangeButton
          inRow
          danger={active}
          label={active ? 'Deactivate' : activationVerb({ version }, data?.data ?? [])}
          of={`(version ${version})`}
          title={`${active ? 'Deactivate' : 'Activate'} version ${version}`}
          operation={active ? 'deactivateTemplate' : 'activateTemplate'}
          action={active ? 'Deactivate' : 'Activate'}
          change={() => admin.templates[active ? 'deactivate' : 'activate'](id)}
          shownIn={[keys.templates(environmentId)]}
          done={active ? 'No version is active now.' : `Version ${version} is active within 5 seconds.`}
        >
          <p>
            {!active
              ? `Events with ${event_key} that are accepted from now on are delivered with this version.`
              : channel_kind === 'email'
                ? `Events with ${event_key} that an email channel takes are refused until a version is active.`
                : 'The default body is sent until a version is active.'}
          </p>
        </ChangeButton>
      )}
    />
  );
}
