import type { ChangedTemplatePart, TemplatePart } from '@postrider/client';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { ChangeButton } from '../../ui/change.tsx';
import { useRead } from '../../ui/read.tsx';
import { activationVerb, VersionsCard } from '../../ui/versions.tsx';
import { contentOf, nameOf, PART_TYPES, type PartType, partsOf } from './types.ts';

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
  const { environmentId, admin, screen } = useEnvironment();
  const name = nameOf(part);
  const [data, reading] = useRead(keys.parts(environmentId, type, 'versions', name), () =>
    partsOf(admin, type, environmentId).versions(name),
  );
  const comparing = {
    queryKey: (id: string) => keys.parts(environmentId, type, id),
    read: (id: string) => partsOf(admin, type, environmentId).get(id),
    textOf: contentOf,
  };
  return (
    <VersionsCard
      open={part}
      versions={data}
      reading={reading}
      linkTo={(id) => screen`/parts/${type}/${id}`}
      comparing={comparing}
      actionsOf={({ id, version, active }) =>
        !active && (
          <ChangeButton
            inRow
            danger={false}
            label={activationVerb({ version }, data ?? [])}
            of={`(version ${version})`}
            title={`Activate version ${version} of ${name}`}
            operation={PART_TYPES[type].activate}
            action="Activate"
            change={async () => onChanged(await partsOf(admin, type, environmentId).activate(id))}
            shownIn={[keys.parts(environmentId), keys.templates(environmentId)]}
            done={`Version ${version} is active within 5 seconds.`}
          >
            <p>
              All active templates that use it get a new version with it, or none of them if one could not be
              rendered. What was sent does not change.
            </p>
          </ChangeButton>
        )
      }
    />
  );
}
