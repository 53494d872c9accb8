import { PageHead } from '@postrider/console/ui/plain.tsx';
import { VerifyCard } from '@postrider/console/ui/verify.tsx';
import { useLanguage } from '../ui/i18n.ts';

/** How to verify that a request comes from the service. */
export function Verify() {
  const { t } = useLanguage();
  return (
    <>
      <PageHead title={t.nav.verify} about={t.verify.about} />
      <VerifyCard texts={t.verify} />
    </>
  );
}
