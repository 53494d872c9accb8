import type { ChangedTemplatePart, TemplatePart } from '@postrider/client';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { useMemo, useState } from 'react';
import { keys, useEnvironment, useInvalidate } from '../../api/index.ts';
import { Back, ButtonLink, ErrorNotice, Notice, Status, Table, useRead } from '../../ui/display.ts';
import { capitalised, formatNumber } from '../../ui/format.ts';
import { bind, ChangeButton, EditorField, Target, TextField } from '../../ui/input.ts';
import { Card, PageHead } from '../../ui/parts.tsx';
import { useNewVersion, VersionsCard } from '../../ui/versions.tsx';
import { KindIcon } from '../messages/table.tsx';
import { issuesOfError } from '../templates/draft.ts';
import { IssueList, Warnings } from '../templates/preview.tsx';
import { contentOf, nameOf, PART_TYPES, type PartType, partsOf, partTypeOf } from './types.ts';

/** The versions of the same name or language: compare, activate, roll back. */
function PartVersions({
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
  const { versions, get, activate } = partsOf(admin, type, environmentId);
  return (
    <VersionsCard
      open={part}
      listKey={keys.parts(environmentId, type, 'versions', name)}
      list={() => versions(name)}
      oneKey={(id) => keys.parts(environmentId, type, id)}
      one={get}
      textOf={contentOf}
      linkTo={(id) => screen`/parts/${type}/${id}`}
      actionsOf={({ id, version, active }, verb) =>
        !active && (
          <ChangeButton
            inRow
            danger={false}
            label={verb}
            of={`(version ${version})`}
            title={`Activate version ${version} of ${name}`}
            operation={PART_TYPES[type].activate}
            action="Activate"
            change={async () => onChanged(await activate(id))}
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

/** The most templates that are listed. */
const LISTED = 100;

/** The active templates that use a part, each with a preview that uses this version of it. */
function UsedBy({ type, part }: { type: PartType; part: TemplatePart }) {
  const { environmentId, admin, screen } = useEnvironment();
  const { one } = PART_TYPES[type];
  const name = nameOf(part);
  const [data, placeholder] = useRead(keys.templates(environmentId, 'using', type, name), () =>
    admin.templates.of(environmentId).page({ active: true, part: `${one}:${name}`, limit: LISTED }),
  );
  const linkTo = (id: string) => screen`/templates/${id}`;
  return (
    <Card title="Templates that use it" flush={Boolean(data?.data.length)}>
      {placeholder}
      {data?.data.length === 0 && <p className="muted">No active template uses this {one}.</p>}
      {data && data.data.length > 0 && (
        <Table
          label="Templates that use it"
          rows={data.data}
          columns={{
            'Event key': ({ id, event_key, channel_kind }) => (
              <span className="row">
                <KindIcon kind={channel_kind} />
                <Link to={linkTo(id)}>{event_key}</Link>
              </span>
            ),
            Version: ({ version }) => formatNumber(version),
          }}
          actions={({ id }) => (
            <ButtonLink
              to={linkTo(id)}
              search={part.active ? {} : { parts: part.id }}
              small
              variant="quiet"
              icon={Eye}
            >
              Preview it with version {part.version}
            </ButtonLink>
          )}
        />
      )}
    </Card>
  );
}

/** The templates that an activation republished. */
export function Changed({ changed }: { changed: ChangedTemplatePart }) {
  const { screen } = useEnvironment();
  return (
    <>
      {changed.templates.length > 0 && (
        <Notice tone="ok" title="These templates have a new active version with it.">
          <ul>
            {changed.templates.map(({ id, event_key, channel_kind, version }) => (
              <li key={id}>
                <Link to={screen`/templates/${id}`}>
                  {event_key}, {channel_kind}
                </Link>{' '}
                version {version}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Warnings warnings={changed.warnings} />
    </>
  );
}

function PartEditor({
  type,
  base,
  onChanged,
}: {
  type: PartType;
  base: TemplatePart | null;
  onChanged: (changed: ChangedTemplatePart) => void;
}) {
  const { environmentId, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const { one, nameLabel, nameHint, language, first } = PART_TYPES[type];
  const before = base ? contentOf(base) : first.content;
  const [name, setName] = useState(base ? nameOf(base) : first.name);
  const [content, setContent] = useState(before);
  const save = async (activate: boolean) => {
    const saved = await partsOf(admin, type, environmentId).create(name.trim(), content, activate);
    await Promise.all([invalidate(keys.parts(environmentId)), invalidate(keys.templates(environmentId))]);
    onChanged(saved);
    await navigate({ to: screen`/parts/${type}/${saved.id}` });
    return saved;
  };
  const isUnchanged = !name.trim() || (base !== null && content === before);
  const { error, reset, foot } = useNewVersion(PART_TYPES[type].create, save, isUnchanged);
  const issues = useMemo(() => issuesOfError(error), [error]);
  const label = type === 'translations' ? 'Messages (ICU MessageFormat, as JSON)' : 'Content';
  return (
    <Card title="Source" foot={foot}>
      <div className="stack">
        <Target />
        {base === null && <TextField label={nameLabel} hint={nameHint} required {...bind(name, setName)} />}
        <EditorField
          title={label}
          label={`Content of the ${one}`}
          language={language}
          value={content}
          issues={issues}
          minHeight={260}
          onChange={(changed) => {
            setContent(changed);
            reset();
          }}
        />
        <IssueList issues={issues} />
        {issues.length === 0 && <ErrorNotice error={error} />}
      </div>
    </Card>
  );
}

function Part({ type, partId }: { type: PartType; partId: string }) {
  const { environmentId, admin, screen } = useEnvironment();
  const [changed, setChanged] = useState<ChangedTemplatePart | null>(null);
  const { title, one } = PART_TYPES[type];
  const isNew = partId === 'new';
  const [data, placeholder] = useRead(
    keys.parts(environmentId, type, partId),
    () => partsOf(admin, type, environmentId).get(partId),
    { enabled: !isNew },
  );
  return (
    <>
      <Back to={screen`/parts/${type}`}>{title}</Back>
      <PageHead
        title={isNew ? `Write a ${one}` : data ? capitalised(`${one} ${nameOf(data)}`) : title}
        about={
          data &&
          !isNew && (
            <span className="row">
              Version {data.version} <Status value={data.active ? 'active' : 'inactive'} />
            </span>
          )
        }
      />
      {changed && <Changed changed={changed} />}
      {isNew && <PartEditor type={type} base={null} onChanged={setChanged} />}
      {placeholder}
      {data && !isNew && (
        <>
          <PartEditor key={data.id} type={type} base={data} onChanged={setChanged} />
          <UsedBy type={type} part={data} />
          <PartVersions type={type} part={data} onChanged={setChanged} />
        </>
      )}
    </>
  );
}

/** One version of a layout, partial or translation, or a new one. */
export function Screen() {
  const { partType, partId = '' } = useParams({ strict: false }) as { partType?: string; partId?: string };
  const type = partTypeOf(partType);
  if (!type) return <PageHead title="Page not found" about="Choose layouts, partials or translations." />;
  return <Part key={type} type={type} partId={partId} />;
}
