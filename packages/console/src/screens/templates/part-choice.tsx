import type { Template } from '@postrider/client';
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { keys, useEnvironment } from '../../api/index.ts';
import { Tag, useRead } from '../../ui/display.ts';
import { SelectField } from '../../ui/input.ts';
import { Button } from '../../ui/parts.tsx';
import { nameOf, type PartSummary, type PartType, partsOf } from '../parts/types.ts';

type PartKind = Template['parts'][number]['type'];

/** A part without its version. */
interface NamedPart {
  readonly type: PartKind;
  readonly name: string;
}

const pathOf = (type: PartKind): PartType => `${type}s`;
const TYPES: readonly PartKind[] = ['layout', 'partial', 'translation'];
/** How many versions are searched for names. */
const NAMED = 100;

/** The ids of the part versions that the preview uses in place of the active ones, stored in the URL. */
export function useChosenParts() {
  const search = useSearch({ strict: false }) as { parts?: string };
  const navigate = useNavigate();
  const chosen = search.parts ? search.parts.split(',') : [];
  const choose = (ids: readonly string[]) =>
    void navigate({
      to: '.',
      search: { ...search, parts: ids.length > 0 ? ids.join(',') : undefined },
      replace: true,
    });
  return { chosen, choose };
}

/** All parts of the environment, for a template that cannot be previewed with the active ones. */
function useNames(isNeeded: boolean): readonly NamedPart[] {
  const { environmentId, admin } = useEnvironment();
  const [data = []] = useRead(
    keys.parts(environmentId, 'names'),
    async () => {
      const pages = await Promise.all(
        TYPES.map(async (type) => {
          const { data } = await partsOf(admin, pathOf(type), environmentId).page({ limit: NAMED });
          return [...new Set(data.map(nameOf))].sort().map((name) => ({ type, name }));
        }),
      );
      return pages.flat();
    },
    { enabled: isNeeded },
  );
  return data;
}

const labelOf = ({ version, active }: PartSummary) =>
  `version ${version}, ${active ? 'active' : 'not active'}`;

/**
 * Chooses the versions of the layouts, partials and translations that the preview is rendered with.
 * @param used what the preview was rendered with; undefined if it could not be rendered
 */
export function PartChoice({ used }: { used: readonly NamedPart[] | undefined }) {
  const { environmentId, admin, screen } = useEnvironment();
  const { chosen, choose } = useChosenParts();
  const named = useNames(used === undefined);
  const parts = used ?? named;
  const versions = useQueries({
    queries: parts.map(({ type, name }) => ({
      queryKey: keys.parts(environmentId, pathOf(type), 'versions', name),
      queryFn: () => partsOf(admin, pathOf(type), environmentId).versions(name),
    })),
  });
  if (parts.length === 0 && chosen.length === 0) return null;
  return (
    <details className="disclosure" open={chosen.length > 0}>
      <summary>
        <ChevronRight className="icon" aria-hidden="true" />
        Layouts, partials and translations
        {chosen.length > 0 && <Tag tone="warn">with versions that you chose</Tag>}
      </summary>
      <div className="stack">
        <div className="form-row">
          {parts.map((part, index) => {
            const all = versions[index]?.data ?? [];
            const shown = all.find(({ id }) => chosen.includes(id)) ?? all.find(({ active }) => active);
            const others = chosen.filter((id) => !all.some((each) => each.id === id));
            return (
              <SelectField
                key={`${part.type} ${part.name}`}
                label={`${part.type} ${part.name}`}
                {...(!all.some(({ active }) => active) && { any: 'no version is active' })}
                options={all.map((each) => [each.id, labelOf(each)] as const)}
                value={shown?.id ?? ''}
                hint={
                  shown &&
                  !shown.active && (
                    <Link to={screen`/parts/${pathOf(part.type)}/${shown.id}`}>Open it to activate it</Link>
                  )
                }
                onChange={({ target }) => {
                  const next = all.find(({ id }) => id === target.value);
                  choose(next && !next.active ? [...others, next.id] : others);
                }}
              />
            );
          })}
        </div>
        {chosen.length > 0 && (
          <Button small onClick={() => choose([])}>
            Preview with the active versions
          </Button>
        )}
      </div>
    </details>
  );
}
