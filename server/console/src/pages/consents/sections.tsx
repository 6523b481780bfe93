import { useSite } from '../../app/site';
import { SubNav } from '../../ui/sub-nav';

/** The two kinds of consent records. */
export function ConsentSections() {
  const { path } = useSite();
  return (
    <SubNav
      label="Kinds of consent"
      links={[
        [path('consents'), 'Cookie decisions'],
        [path('consents/forms'), 'Form consents'],
      ]}
    />
  );
}
