import type { ChangedTemplatePart, TemplatePart } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useMemo, useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useInvalidate } from '../../api/session.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { EditorField } from '../../ui/editor.tsx';
import { Empty, ErrorNotice, Notice } from '../../ui/feedback.tsx';
import { bind, Check, TextField } from '../../ui/form.tsx';
import { capitalised } from '../../ui/format.ts';
import { Back } from '../../ui/links.tsx';
import { Button, Card, May, PageHead } from '../../ui/parts.tsx';
import { useRead } from '../../ui/read.tsx';
import { Status } from '../../ui/status.tsx';
import { toast } from '../../ui/toasts.ts';
import { issuesOfError } from '../templates/draft.ts';
import { IssueList, Warnings } from '../templates/preview.tsx';
import { contentOf, nameOf, PART_TYPES, type PartType, partsOf, partTypeOf } from './types.ts';
import { UsedBy } from './used-by.tsx';
import { PartVersions } from './versions.tsx';

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
  const [activate, setActivate] = useState(false);
  const save = useMutation({
    mutationFn: async () => {
      const saved = await partsOf(admin, type, environmentId).create(name.trim(), content, activate);
      await Promise.all([invalidate(keys.parts(environmentId)), invalidate(keys.templates(environmentId))]);
      onChanged(saved);
      toast(`Version ${saved.version} is saved${saved.active ? ' and active' : ', but not active yet'}.`);
      await navigate({ to: screen`/parts/${type}/${saved.id}` });
    },
  });
  const issues = useMemo(() => issuesOfError(save.error), [save.error]);
  const label = type === 'translations' ? 'Messages (ICU MessageFormat, as JSON)' : 'Content';
  return (
    <Card
      title="Source"
      foot={
        <May operation={PART_TYPES[type].create} explain="You cannot save it.">
          <Check
            label="Activate it at once"
            checked={activate}
            onChange={(event) => setActivate(event.target.checked)}
          />
          <Button
            variant="primary"
            icon={Save}
            busy={save.isPending}
            disabled={!name.trim() || (base !== null && content === before)}
            onClick={() => save.mutate()}
          >
            Save as a new version
          </Button>
        </May>
      }
    >
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
            save.reset();
          }}
        />
        <IssueList issues={issues} />
        {issues.length === 0 && <ErrorNotice error={save.error} />}
      </div>
    </Card>
  );
}

function Part({ type, partId }: { type: PartType; partId: string }) {
  const { environmentId, admin, screen } = useEnvironment();
  const [changed, setChanged] = useState<ChangedTemplatePart | null>(null);
  const { title, one } = PART_TYPES[type];
  const isNew = partId === 'new';
  const [data, reading] = useRead(
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
      {reading}
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
  if (!type) return <Empty title="Page not found">Choose layouts, partials or translations.</Empty>;
  return <Part key={type} type={type} partId={partId} />;
}
