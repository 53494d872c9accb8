import type { Template, TemplateSummary } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { Change } from '../../ui/change.tsx';
import { toJson } from '../../ui/format.ts';
import { activationVerb, VersionAction, VersionsCard } from '../../ui/versions.tsx';
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
  const [chosen, setChosen] = useState<{ version: TemplateSummary; active: boolean } | null>(null);
  const { data, error } = useQuery({
    queryKey: keys.templates(environmentId, 'versions', event_key, channel_kind),
    queryFn: () => admin.templates.of(environmentId).page({ event_key, channel_kind, limit: 50 }),
  });
  const comparing = {
    queryKey: (id: string) => keys.templates(environmentId, id),
    read: (id: string) => admin.templates.get(id),
    textOf,
  };
  return (
    <VersionsCard
      open={template}
      versions={data?.data}
      error={error}
      linkTo={(id) => screen`/templates/${id}`}
      comparing={comparing}
      actionsOf={(each) => (
        <VersionAction
          label={each.active ? 'Deactivate' : activationVerb(each, data?.data ?? [])}
          version={each}
          operation={each.active ? 'deactivateTemplate' : 'activateTemplate'}
          onClick={() => setChosen({ version: each, active: !each.active })}
        />
      )}
    >
      {chosen && (
        <Change
          danger={!chosen.active}
          onClose={() => setChosen(null)}
          title={`${chosen.active ? 'Activate' : 'Deactivate'} version ${chosen.version.version}`}
          action={chosen.active ? 'Activate' : 'Deactivate'}
          target={<Target />}
          change={() => admin.templates[chosen.active ? 'activate' : 'deactivate'](chosen.version.id)}
          shownIn={[keys.templates(environmentId)]}
          done={
            chosen.active
              ? `Version ${chosen.version.version} is active within 5 seconds.`
              : 'No version is active now.'
          }
        >
          <p>
            {chosen.active
              ? `Events with ${event_key} that are accepted from now on are delivered with this version.`
              : channel_kind === 'email'
                ? `Events with ${event_key} that an email channel takes are refused until a version is active.`
                : 'The default body is sent until a version is active.'}
          </p>
        </Change>
      )}
    </VersionsCard>
  );
}
