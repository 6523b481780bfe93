import { useState } from 'react';
import { Allowed, useSite } from '../../app/site';
import { Alert, Button, Card, Table, words } from '../../ui';
import { lifetimeText } from '../vendors/lifetime';
import { Adopt } from './adopt';
import style from './scans.module.css';
import type { Scan } from './state';

/** The cookies that the scan found, with a form to add them to the vendor list. */
export function CookiesFound({ scan: { cookies } }: { scan: Scan }) {
  const { settings } = useSite();
  const [adopts, setAdopts] = useState(false);
  if (cookies.length === 0) {
    return (
      <Card title="Cookies (0)">
        <Alert tone="good">The page stored no cookie before consent.</Alert>
      </Card>
    );
  }
  const categoryName = (category: string) =>
    settings.categories.find(({ key }) => key === category)?.name ?? words(category);
  return (
    <Card
      title={`Cookies (${cookies.length})`}
      actions={
        <Allowed to="owner">
          {!adopts && <Button onPress={() => setAdopts(true)}>Add to the vendor list</Button>}
        </Allowed>
      }
    >
      {adopts && <Adopt found={cookies} nouns={['cookie', 'cookies']} close={() => setAdopts(false)} />}
      <Table
        label="Cookies that were found"
        rows={cookies}
        rowKey={({ name, domain }) => `${name} ${domain}`}
        columns={[
          { title: 'Name', cell: ({ name }) => <code className={style.cookieName}>{name}</code> },
          { title: 'Domain', cell: ({ domain }) => domain },
          { title: 'Category', cell: ({ category }) => categoryName(category) },
          { title: 'Vendor', cell: ({ vendor }) => vendor ?? '–' },
          { title: 'Lifetime', cell: ({ max_age_seconds }) => lifetimeText(max_age_seconds) },
          { title: 'Attributes', cell: (cookie) => attributes(cookie) },
        ]}
      />
    </Card>
  );
}

const attributes = ({ secure, http_only, same_site, first_party }: Scan['cookies'][number]): string =>
  [
    first_party ? 'first party' : 'third party',
    secure && 'Secure',
    http_only && 'HttpOnly',
    same_site !== null && `SameSite=${same_site}`,
  ]
    .filter(Boolean)
    .join(', ');
