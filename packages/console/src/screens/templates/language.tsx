import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';

/** The most active translations that are offered; an environment has at most 100. */
const LANGUAGES = 100;

/** Selects the language of the preview from the environment's languages; by default the recipient's. */
export function Language({ value, onChange }: { value: string; onChange: (locale: string) => void }) {
  const { environmentId, admin } = useEnvironment();
  const { data } = useQuery({
    queryKey: keys.parts(environmentId, 'translations', 'active'),
    queryFn: () => admin.translations.of(environmentId).page({ active: true, limit: LANGUAGES }),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <label className="row small">
      <span>Language</span>
      <select
        className="input"
        style={{ width: 'auto' }}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">of the recipient</option>
        {data.data
          .map(({ locale }) => locale)
          .sort()
          .map((locale) => (
            <option key={locale} value={locale}>
              {locale}
            </option>
          ))}
      </select>
    </label>
  );
}
