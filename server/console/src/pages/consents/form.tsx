import type { Output } from '@avow/sdk';
import { useParams } from 'react-router';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, FieldList, Link, PageHeader, QueryState, Time } from '../../ui';
import { ExportPack } from '../evidence/export-pack';
import { isWaiting, Sealed } from '../evidence/sealed';
import { ErasePerson } from './erase-person';
import { Confirmed, Statements } from './form-facts';

type Proof = Output<'getFormConsent'>;

/** One form consent as evidence (GDPR Art. 7(1)): who agreed to what, in which words, and where it is sealed. */
export default function FormConsentProof() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const record = useAnswer(
    keys.site(token, 'form-consents', 'one', id),
    (api, signal) => api.getFormConsent({ token, form_consent_id: id }, { signal }),
    { isSealing: isWaiting },
  );
  return <QueryState query={record}>{(proof) => <Page proof={proof} />}</QueryState>;
}

function Page({ proof }: { proof: Proof }) {
  const site = useSite();
  const { form_id, recorded_at, subject, session_id, statements } = proof;
  return (
    <>
      <PageHeader
        title={`Form consent: ${form_id}`}
        back={[site.path('consents/forms'), 'Form consents']}
        actions={<ErasePerson email={subject.email ?? ''} session={session_id ?? ''} />}
      >
        {site.name} · {site.domain} (as named today) · <Time at={recorded_at} />
      </PageHeader>
      <div className="columns">
        <div className="stack">
          <Card title="What was agreed to">
            <Statements statements={statements} />
          </Card>
          <Sealed evidence={proof.evidence} subject={{ form_consent_id: proof.form_consent_id }}>
            {session_id !== null && <ExportPack subject={{ session_id }} label="Export the whole session" />}
          </Sealed>
        </div>
        <div className="stack">
          <Card title="Who">
            <Who proof={proof} />
          </Card>
          <Card title="How">
            <How proof={proof} />
          </Card>
        </div>
      </div>
    </>
  );
}

function Who({ proof: { subject, ip_masked, session_id } }: { proof: Proof }) {
  const { path } = useSite();
  return (
    <FieldList
      items={[
        ['E-mail address', subject.email],
        ['Your own id', subject.external_id],
        ['IP address, masked', <code key="ip">{ip_masked}</code>],
        [
          'Session',
          session_id === null ? undefined : (
            <Link key="session" to={`${path('consents')}?id=${encodeURIComponent(session_id)}`}>
              <code>{session_id}</code>
            </Link>
          ),
        ],
      ]}
    />
  );
}

const How = ({ proof }: { proof: Proof }) => (
  <FieldList
    items={[
      ['Recorded', <Time key="at" at={proof.recorded_at} />],
      ['Form', proof.form_id],
      ['Page', proof.form_url],
      ['Language', proof.language],
      ['Confirmed', <Confirmed key="confirmed" {...proof} />],
      ['Record', <code key="id">{proof.form_consent_id}</code>],
    ]}
  />
);
