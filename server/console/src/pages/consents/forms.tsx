import type { Item } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { useSite } from '../../app/site';
import {
  type Column,
  DateTimeField,
  GuideLink,
  Link,
  PagedTable,
  PageHeader,
  TextField,
  Time,
} from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { ErasePerson } from './erase-person';
import { Confirmed, Statements } from './form-facts';
import { ConsentSections } from './names';

type FormConsent = Item<'listFormConsents'>;

const NONE = { form_id: '', email: '', external_id: '', session_id: '', from: '', to: '' };

const COLUMNS: Column<FormConsent>[] = [
  { title: 'When', cell: (consent) => <When {...consent} /> },
  { title: 'Who', cell: ({ subject, ip_masked }) => <Who subject={subject} address={ip_masked} /> },
  { title: 'Form', cell: ({ form_id, form_url }) => <Form id={form_id} url={form_url} /> },
  { title: 'Statements', cell: ({ statements }) => <Statements statements={statements} /> },
  { title: 'Confirmed', cell: (consent) => <Confirmed {...consent} /> },
];

/** What people agreed to in forms, in the wording that was shown to them. */
export default function FormConsents() {
  const { token } = useSite();
  const filters = useFilters(NONE);
  const filter = given(filters.applied);
  const list = usePages(keys.site(token, 'form-consents', filter), (api, cursor, signal) =>
    api.listFormConsents({ token, ...filter, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Form consents"
        actions={
          <>
            <ExportButtons
              ask={(api, format, options) => api.exportFormConsents({ token, format, ...filter }, options)}
            />
            <ErasePerson email={filters.applied.email} session={filters.applied.session_id} />
          </>
        }
      >
        Statements that people agreed to in your forms, in the wording that was shown to them.
      </PageHeader>
      <ConsentSections />
      <FilterBar filters={filters} error={list.error}>
        <TextField label="Form" {...filters.text('form_id')} placeholder="newsletter" />
        <TextField label="E-mail address" {...filters.text('email')} />
        <TextField label="Your own id of the person" {...filters.text('external_id')} />
        <TextField label="Session" {...filters.text('session_id')} />
        <DateTimeField label="From" {...filters.text('from')} />
        <DateTimeField label="Before" {...filters.text('to')} />
      </FilterBar>
      <PagedTable
        label="Form consents"
        pages={list}
        columns={COLUMNS}
        rowKey={({ form_consent_id }) => form_consent_id}
        empty={
          filters.active
            ? ['No matching record', 'Change or clear the filters above.']
            : [
                'No form consent yet',
                'Send them from your forms with POST /api/form-consents/{token}.',
                <GuideLink key="guide" to="api/visitor#recordFormConsent">
                  How to send them
                </GuideLink>,
              ]
        }
      />
    </>
  );
}

/** Leads to the record's own page. */
function When({ form_consent_id, recorded_at }: Pick<FormConsent, 'form_consent_id' | 'recorded_at'>) {
  const { path } = useSite();
  return (
    <Link to={path(`consents/forms/${form_consent_id}`)}>
      <Time at={recorded_at} />
    </Link>
  );
}

const Who = ({ subject, address }: { subject: FormConsent['subject']; address: string }) => (
  <>
    {subject.email ?? subject.external_id}
    {subject.email !== undefined && subject.external_id !== undefined && (
      <span className="hint block">{subject.external_id}</span>
    )}
    <span className="hint block">{address}</span>
  </>
);

const Form = ({ id, url }: { id: string; url: string }) => (
  <>
    {id}
    <span className="hint block">{url}</span>
  </>
);
