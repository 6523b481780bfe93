import { useState } from 'react';
import { Allowed, useSite } from '../../app/site';
import { Alert, Button, Card, Table, words } from '../../ui';
import { storageName } from '../vendors/lifetime';
import { Adopt, keyOf } from './adopt';
import { asFound } from './adopt-plan';
import style from './scans.module.css';
import type { Scan } from './state';

/** Other stored items that the scan found, with a form to add them to the vendor list. */
export function StoredFound({ scan: { stored_items: items, engine } }: { scan: Scan }) {
  const { settings } = useSite();
  const [adopts, setAdopts] = useState(false);
  if (items.length === 0) {
    return (
      <Card title="Other storage (0)">
        {engine === 'browser' ? (
          <Alert tone="good">The page stored nothing else in the browser before consent.</Alert>
        ) : (
          <Alert>Only a scan with a browser sees local storage, session storage and IndexedDB.</Alert>
        )}
      </Card>
    );
  }
  const categoryName = (category: string) =>
    settings.categories.find(({ key }) => key === category)?.name ?? words(category);
  return (
    <Card
      title={`Other storage (${items.length})`}
      actions={
        <Allowed to="owner">
          {!adopts && <Button onPress={() => setAdopts(true)}>Add to the vendor list</Button>}
        </Allowed>
      }
    >
      <p className="hint">
        What scripts store in the browser besides cookies. It needs consent in the same way (ePrivacy
        Directive Art. 5(3)). A scan reads only names, no values.
      </p>
      {adopts && (
        <Adopt found={items.map(asFound)} nouns={['item', 'items']} close={() => setAdopts(false)} />
      )}
      <Table
        label="Other storage that was found"
        rows={items}
        rowKey={(item) => keyOf(asFound(item))}
        columns={[
          { title: 'Name', cell: (item) => <Name item={item} /> },
          { title: 'Stored in', cell: ({ storage }) => storageName(storage) },
          { title: 'Host', cell: ({ host, first_party }) => (first_party ? host : `${host} (third party)`) },
          { title: 'Category', cell: ({ category }) => categoryName(category) },
          { title: 'Vendor', cell: ({ vendor }) => vendor ?? '–' },
        ]}
      />
    </Card>
  );
}

function Name({ item: { name, object_stores: stores } }: { item: Scan['stored_items'][number] }) {
  return (
    <>
      {name === '' ? <i>no name</i> : <code className={style.cookieName}>{name}</code>}
      {stores.length > 0 && <span className="hint"> Object stores: {stores.join(', ')}</span>}
    </>
  );
}
