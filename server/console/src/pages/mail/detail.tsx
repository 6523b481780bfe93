import { useParams } from 'react-router';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Card, CodeBlock, FieldList, Link, PageHeader, QueryState, Time } from '../../ui';
import { kindName, StateBadge } from './names';

type Preview = Schemas['MailPreview'];

/** One mail: what it says, to whom, and what became of it. */
export default function MailPage() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const mail = useAnswer(keys.site(token, 'mails', id), (api, signal) =>
    api.getMail({ token, mail_id: id }, { signal }),
  );
  return <QueryState query={mail}>{(found) => <Page mail={found} />}</QueryState>;
}

function Page({ mail }: { mail: Preview }) {
  const { path } = useSite();
  return (
    <>
      <PageHeader title={mail.subject ?? kindName(mail.kind)} back={[path('mail'), 'Mail']}>
        <StateBadge state={mail.state} />
      </PageHeader>
      {mail.state === 'unsent' && (
        <Alert title="Not sent">
          No mail server is set up (SMTP_URL). This is what would have been sent.
        </Alert>
      )}
      <Card title="Delivery">
        <Facts mail={mail} />
      </Card>
      <Card title="Text">
        {mail.text === null ? (
          <p className="hint">
            The text was erased 7 days after the mail was sent or given up, or at the request of a person.
          </p>
        ) : (
          <>
            <p className="hint">Links and codes that only the receiver may see are left out.</p>
            <CodeBlock label="Text of the mail" code={mail.text} />
          </>
        )}
      </Card>
    </>
  );
}

function Facts({ mail }: { mail: Preview }) {
  const { path } = useSite();
  return (
    <FieldList
      items={[
        ['Purpose', kindName(mail.kind)],
        ['To', mail.to],
        ['Request', mail.request_id && <Link to={path(`dsar/${mail.request_id}`)}>Open the request</Link>],
        ['Created', <Time key="created" at={mail.created_at} />],
        ['Last attempt', mail.last_attempt_at && <Time at={mail.last_attempt_at} />],
        ['Ended', mail.ended_at && <Time at={mail.ended_at} />],
        ['Attempts', mail.attempts === 0 ? null : String(mail.attempts)],
        ['Reply code', mail.response_status === null ? null : String(mail.response_status)],
        ['Reason', mail.error],
      ]}
    />
  );
}
