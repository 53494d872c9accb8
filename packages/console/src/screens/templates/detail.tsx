import type { Template } from '@postrider/client';
import { Link, useParams } from '@tanstack/react-router';
import { keys, useEnvironment } from '../../api/index.ts';
import { Back, Status, useRead } from '../../ui/display.ts';
import { toJson } from '../../ui/format.ts';
import { ChangeButton } from '../../ui/input.ts';
import { PageHead } from '../../ui/parts.tsx';
import { VersionsCard } from '../../ui/versions.tsx';
import { draftOf, EMPTY_DRAFT } from './draft.ts';
import { TemplateEditor } from './template-editor.tsx';

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
function Versions({ template }: { template: Template }) {
  const { environmentId, admin, screen } = useEnvironment();
  const { event_key, channel_kind } = template;
  const list = admin.templates.of(environmentId);
  return (
    <VersionsCard
      open={template}
      listKey={keys.templates(environmentId, 'versions', event_key, channel_kind)}
      list={async () => (await list.page({ event_key, channel_kind, limit: 50 })).data}
      oneKey={(id) => keys.templates(environmentId, id)}
      one={(id) => admin.templates.get(id)}
      textOf={textOf}
      linkTo={(id) => screen`/templates/${id}`}
      actionsOf={({ id, version, active }, verb) => (
        <ChangeButton
          inRow
          danger={active}
          label={active ? 'Deactivate' : verb}
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

/** The versions of layouts, partials and translations that this version uses. */
function Uses({ template }: { template: Template }) {
  const { screen } = useEnvironment();
  if (template.parts.length === 0) return null;
  return (
    <p className="row small">
      <span className="muted">Parts:</span>
      {template.parts.map(({ id, type, name, version }) => (
        <Link key={id} to={screen`/parts/${type}s/${id}`}>
          {type} {name}, version {version}
        </Link>
      ))}
    </p>
  );
}

function Existing({ template }: { template: Template }) {
  return (
    <>
      <PageHead
        title={`${template.event_key}, ${template.channel_kind}`}
        about={
          <span className="row">
            Version {template.version} <Status value={template.active ? 'active' : 'inactive'} />
          </span>
        }
      />
      <Uses template={template} />
      <TemplateEditor key={template.id} initial={draftOf(template)} base={template} />
      <Versions template={template} />
    </>
  );
}

/** One version of a template, or a new template. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const { templateId = '' } = useParams({ strict: false });
  const isNew = templateId === 'new';
  const [data, placeholder] = useRead(
    keys.templates(environmentId, templateId),
    () => admin.templates.get(templateId),
    { enabled: !isNew },
  );
  return (
    <>
      <Back to={screen`/templates`}>Templates</Back>
      {isNew && <PageHead title="Write a template" about="Liquid in HTML, MJML or JSON." />}
      {isNew && <TemplateEditor initial={EMPTY_DRAFT} base={null} />}
      {placeholder}
      {data && !isNew && <Existing template={data} />}
    </>
  );
}
