import '../dsar/dsar.css';
import { useState } from 'react';
import { useParams } from 'react-router';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Alert, Button, ButtonLink, Card, Dialog, PageHeader, QueryState, Time } from '../../ui';
import { HistoryList } from '../../ui/history-list';
import { Affected, Report, Story, Times } from './facts';
import { Clock, SeverityBadge } from './names';
import { ReportForm } from './report';

type Breach = Schemas['Breach'];

/** One breach: what is known, how long until the authority must hear of it, and the way to report it. */
export default function BreachPage() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const breach = useAnswer(keys.site(token, 'breaches', id), (api, signal) =>
    api.getBreach({ token, breach_id: id }, { signal }),
  );
  return <QueryState query={breach}>{(found) => <Page breach={found} />}</QueryState>;
}

function Page({ breach }: { breach: Breach }) {
  const { path } = useSite();
  return (
    <>
      <PageHeader
        title={breach.title}
        back={[path('breaches'), 'Breaches']}
        actions={
          <Allowed
            to="operator"
            otherwise={<span className="hint">Only operators and owners can change breaches.</span>}
          >
            <Actions breach={breach} />
          </Allowed>
        }
      >
        <span className="row">
          <SeverityBadge severity={breach.severity} />
          <Clock breach={breach} />
        </span>
      </PageHeader>
      {breach.status === 'created' && <Notice breach={breach} />}
      <div className="columns">
        <div className="stack">
          <Card title="What happened">
            <Story breach={breach} />
          </Card>
          {breach.status === 'reported' && (
            <Card title="Report to the authority">
              <Report breach={breach} />
            </Card>
          )}
          <Card title="History">
            <HistoryList entries={breach.history} />
          </Card>
        </div>
        <div className="stack">
          <Card title="When">
            <Times breach={breach} />
          </Card>
          <Card title="Who and what is affected">
            <Affected breach={breach} />
          </Card>
        </div>
      </div>
    </>
  );
}

const Notice = ({ breach: { overdue, notify_by } }: { breach: Breach }) => (
  <Alert
    tone={overdue ? 'bad' : 'warn'}
    title={overdue ? 'The 72 hours are over' : 'The authority must be notified'}
  >
    {overdue ? 'They ended' : 'Until'} <Time at={notify_by} />
    {overdue
      ? ': report it now, and say why it is late (GDPR Art. 33(1)).'
      : ', unless a risk for people is unlikely (GDPR Art. 33(1)).'}
  </Alert>
);

/** The window stays open when somebody else reports meanwhile: nothing typed is lost. */
function Actions({ breach }: { breach: Breach }) {
  const { path } = useSite();
  const [reporting, report] = useState(false);
  return (
    <>
      <ButtonLink to={path(`breaches/${breach.breach_id}/edit`)}>Edit</ButtonLink>
      {breach.status === 'created' && (
        <Button variant="primary" onPress={() => report(true)}>
          Mark as reported
        </Button>
      )}
      <Dialog isOpen={reporting} title="Mark as reported to the authority" onClose={() => report(false)}>
        <ReportForm breach={breach} close={() => report(false)} />
      </Dialog>
    </>
  );
}
