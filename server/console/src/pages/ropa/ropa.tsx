import { keys, type Schemas, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Alert, ButtonLink, Card, FieldList, Link, PageHeader, QueryState, Time } from '../../ui';
import { Downloads } from './downloads';
import { EntryCard } from './entry';

type Ropa = Schemas['Ropa'];

/** Records of processing activities (GDPR Art. 30(1)(a)–(g)): a preview, and the files. */
export default function RopaPage() {
  const { token, path } = useSite();
  const ropa = useAnswer(keys.site(token, 'ropa'), async (api, signal) => {
    const answer = await api.exportRopa({ token }, { signal });
    return ((await answer.json()) as { data: Ropa }).data;
  });
  return (
    <>
      <PageHeader
        title="Records of processing"
        actions={
          <Allowed to="owner">
            <ButtonLink to={path('settings/activities')}>Edit your entries</ButtonLink>
          </Allowed>
        }
      >
        GDPR Art. 30(1)(a)–(g): your own entries, and those that follow from categories, vendors, forms,
        requests and breaches.
      </PageHeader>
      <Card title="Download">
        <Downloads />
      </Card>
      <QueryState query={ropa}>{(data) => <Preview ropa={data} />}</QueryState>
    </>
  );
}

function Preview({ ropa }: { ropa: Ropa }) {
  return (
    <>
      <Card title="Controller (a)">
        <Controller controller={ropa.controller} />
        <p className="hint">
          Written <Time at={ropa.generated_at} /> for {ropa.site}, {ropa.url}
        </p>
      </Card>
      {ropa.entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list is read as a whole
        <EntryCard key={index} entry={entry} />
      ))}
    </>
  );
}

function Controller({ controller }: { controller: Ropa['controller'] }) {
  const { path } = useSite();
  const { name, address, email, phone, representative, dpo, authority } = controller;
  return (
    <>
      {(name ?? '') === '' && (
        <Alert tone="warn" title="The controller is not named">
          <p>
            Art. 30(1)(a) asks for name and contact details.{' '}
            <Link to={path('settings/controller')}>Name the controller</Link>
          </p>
        </Alert>
      )}
      <FieldList
        items={[
          ['Controller', name],
          ['Address', address],
          ['E-mail address', email],
          ['Telephone', phone],
          ['Representative in the Union', representative],
          ['Data-protection officer', dpo && `${dpo.name}, ${dpo.email}`],
          ['Supervisory authority', authority],
        ]}
      />
    </>
  );
}
