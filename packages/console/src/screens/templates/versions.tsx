import type { Template, TemplateSummary } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Change } from '../../ui/change.tsx';
import { toJson } from '../../ui/format.ts';
import { RowButton } from '../../ui/parts.tsx';
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
  const { data, error } = useQuery({
    queryKey: keys.templates(environmentId, 'versions', event_key, channel_kind),
    queryFn: () => admin.templates.of(environmentId).page({ event_key, channel_kind, limit: 50 }),
  });
  const comparing = {
    queryKey: (id: string) => keys.templates(environmentId, id),
    read: (id: string) => admin.templates.get(id),
    textOf,
  };
  const question = ({ id, version, active }: TemplateSummary) => (
    <Change
      danger={active}
      title={`${active ? 'Deactivate' : 'Activate'} version ${version}`}
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
    </Change>
  );
  return (
    <VersionsCard
      open={template}
      versions={data?.data}
      error={error}
      linkTo={(id) => screen`/templates/${id}`}
      comparing={comparing}
      actionsOf={(each) => (
        <RowButton
          of={`(version ${each.version})`}
          operation={each.active ? 'deactivateTemplate' : 'activateTemplate'}
          dialog={question(each)}
        >
          {each.active ? 'Deactivate' : activationVerb(each, data?.data ?? [])}
        </RowButton>
      )}
    />
  );
}
