import { useState } from 'react';
import { useParams } from 'react-router';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Alert, Button, ButtonLink, Card, Dialog, PageHeader, QueryState, Time } from '../../ui';
import { HistoryList } from '../../ui/history-list';
import { isWaiting, Sealed } from '../evidence/sealed';
import { NotReportableForm, ReopenForm } from './assess';
import { Affected, Assessment, Report, Story, Times } from './facts';
import { Clock, FACTS, SeverityBadge } from './names';
import { ReportForm } from './report';

type Breach = Schemas['BreachProof'];

const FORMS = { report: ReportForm, assess: NotReportableForm, reopen: ReopenForm };
type Step = keyof typeof FORMS;
const TITLES: Record<Step, string> = {
  report: 'Mark as reported to the authority',
  assess: 'This breach need not be reported',
  reopen: 'Reopen this breach',
};

/** One breach: the known facts, the time left to notify the authority, and the report itself. */
export default function BreachPage() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const breach = useAnswer(
    keys.site(token, 'breaches', id),
    (api, signal) => api.getBreach({ token, breach_id: id }, { signal }),
    { isSealing: isWaiting },
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
      {breach.missing.length > 0 && <Missing facts={breach.missing} />}
      <div className="columns">
        <div className="stack">
          <Card title="What happened">
            <Story breach={breach} />
          </Card>
          {breach.status === 'not_reportable' && (
            <Card title="Why it need not be reported">
              <Assessment breach={breach} />
            </Card>
          )}
          {breach.status === 'reported' && (
            <Card title="Report to the authority">
              <Report breach={breach} />
            </Card>
          )}
          <Card title="History">
            <HistoryList entries={breach.history} />
          </Card>
          <Sealed evidence={breach.evidence} subject={{ breach_id: breach.breach_id }} />
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

const Missing = ({ facts }: { facts: Breach['missing'] }) => (
  <Alert title="Still missing">
    Add as it becomes known (GDPR Art. 33(3) and (4)): {facts.map((fact) => FACTS[fact]).join(', ')}.
  </Alert>
);

/** The dialog stays open when somebody else reports the breach, so that nothing typed is lost. */
function Actions({ breach }: { breach: Breach }) {
  const { path } = useSite();
  const [step, open] = useState<Step>();
  const Shown = step && FORMS[step];
  const close = () => open(undefined);
  return (
    <>
      <ButtonLink to={path(`breaches/${breach.breach_id}/edit`)}>Edit</ButtonLink>
      {breach.status === 'created' && (
        <>
          <Button onPress={() => open('assess')}>Need not be reported</Button>
          <Button variant="primary" onPress={() => open('report')}>
            Mark as reported
          </Button>
        </>
      )}
      {breach.status === 'not_reportable' && <Button onPress={() => open('reopen')}>Reopen</Button>}
      <Dialog isOpen={step !== undefined} title={step ? TITLES[step] : ''} onClose={close}>
        {Shown && <Shown breach={breach} close={close} />}
      </Dialog>
    </>
  );
}
