import { Link, useParams } from '@tanstack/react-router';
import { Languages } from 'lucide-react';
import { keys, useEnvironment } from '../../api/index.ts';
import { ListScreen } from '../../ui/display.ts';
import { PageHead } from '../../ui/parts.tsx';
import { VERSION_COLUMNS } from '../../ui/versions.tsx';
import { nameOf, PART_TYPES, type PartSummary, type PartType, partsOf, partTypeOf } from './types.ts';

/** Links to the lists of the other types. */
function TypeLinks({ type }: { type: PartType }) {
  const { screen } = useEnvironment();
  return (
    <nav className="row" aria-label="Parts of templates">
      {Object.entries(PART_TYPES).map(([each, { title }]) => (
        <Link
          key={each}
          to={screen`/parts/${each}`}
          className={`button button-small ${each === type ? 'button-primary' : ''}`}
          aria-current={each === type ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

function List({ type }: { type: PartType }) {
  const { environmentId, admin, screen } = useEnvironment();
  const { title, one, about, nameLabel, create } = PART_TYPES[type];
  const to = ({ id }: Pick<PartSummary, 'id'>) => screen`/parts/${type}/${id}`;
  return (
    <ListScreen<PartSummary>
      title={title}
      about={about}
      create={{ label: `Write a ${one}`, operation: create, to: to({ id: 'new' }) }}
      queryKey={keys.parts(environmentId, type, 'list')}
      read={(query) => partsOf(admin, type, environmentId).page(query)}
      to={to}
      columns={{
        [nameLabel]: (part) => <Link to={to(part)}>{nameOf(part)}</Link>,
        ...VERSION_COLUMNS,
      }}
      empty={{
        icon: Languages,
        title: `No ${one}s yet`,
        children:
          'Versions are kept, and each template records which it uses, so that sent content can be verified later.',
      }}
    >
      <TypeLinks type={type} />
    </ListScreen>
  );
}

/** The versions of layouts, partials or translations. */
export function Screen() {
  const { partType } = useParams({ strict: false }) as { partType?: string };
  const type = partTypeOf(partType);
  if (!type) return <PageHead title="Page not found" about="Choose layouts, partials or translations." />;
  return <List key={type} type={type} />;
}
