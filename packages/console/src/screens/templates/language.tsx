import { useQuery } from '@tanstack/react-query';
import { useAdmin } from '../../api/session.ts';
import { useEnvironment } from '../../app/environment.tsx';

/** Active translations that are offered; an environment has 100 at most. */
const LANGUAGES = 100;

/** Chooses the language of the preview among those that the environment has; that of the recipient unless chosen. */
export function Language({ value, onChange }: { value: string; onChange: (locale: string) => void }) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const { data } = useQuery({
    queryKey: ['parts', environmentId, 'translations', 'active'],
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
