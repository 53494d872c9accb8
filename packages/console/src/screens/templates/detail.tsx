import type { Template } from '@postrider/client';
import { Link, useParams } from '@tanstack/react-router';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Back } from '../../ui/links.tsx';
import { PageHead } from '../../ui/parts.tsx';
import { useRead } from '../../ui/read.tsx';
import { Status } from '../../ui/status.tsx';
import { draftOf, EMPTY_DRAFT } from './draft.ts';
import { TemplateEditor } from './template-editor.tsx';
import { Versions } from './versions.tsx';

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
  const [data, reading] = useRead(
    keys.templates(environmentId, templateId),
    () => admin.templates.get(templateId),
    { enabled: !isNew },
  );
  return (
    <>
      <Back to={screen`/templates`}>Templates</Back>
      {isNew && <PageHead title="Write a template" about="Liquid in HTML, MJML or JSON." />}
      {isNew && <TemplateEditor initial={EMPTY_DRAFT} base={null} />}
      {reading}
      {data && !isNew && <Existing template={data} />}
    </>
  );
}
