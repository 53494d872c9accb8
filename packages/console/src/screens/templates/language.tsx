import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { bind, InlineSelect } from '../../ui/form.tsx';
import { useRead } from '../../ui/read.tsx';

/** The most active translations that are offered; an environment has at most 100. */
const LANGUAGES = 100;

/** Selects the language of the preview from the environment's languages; by default the recipient's. */
export function Language({ value, onChange }: { value: string; onChange: (locale: string) => void }) {
  const { environmentId, admin } = useEnvironment();
  const [data] = useRead(keys.parts(environmentId, 'translations', 'active'), () =>
    admin.translations.of(environmentId).page({ active: true, limit: LANGUAGES }),
  );
  if (!data || data.data.length === 0) return null;
  const locales = data.data.map(({ locale }) => locale).sort();
  return (
    <InlineSelect
      label="Language"
      options={[['', 'of the recipient'], ...locales.map((locale) => [locale, locale] as const)]}
      {...bind(value, onChange)}
    />
  );
}
