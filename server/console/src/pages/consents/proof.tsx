import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { keys, useAnswer } from '../../app/data';
import { useSession } from '../../app/session';
import { useSite } from '../../app/site';
import { Alert, Button, Card, dateTime, Link, PageHeader, QueryState, Time, useZone } from '../../ui';
import { ExportPack } from '../evidence/export-pack';
import { isWaiting, Sealed } from '../evidence/sealed';
import { EraseSession } from './erase';
import { Choices, How, type Proof, When, Who } from './facts';
import { decisionName } from './names';
import style from './proof.module.css';
import { SaveReceipt } from './receipt';
import { Shown } from './shown';
import { TcfFacts } from './tcf';
import { VendorChoices } from './vendor-choices';

/**
 * One record as evidence (GDPR Art. 7(1)): who, when, how, what was chosen, and what was shown. It can be
 * printed on one page.
 */
export default function ConsentProof() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const record = useAnswer(
    keys.site(token, 'consents', 'one', id),
    (api, signal) => api.getConsent({ token, consent_id: id }, { signal }),
    { isSealing: isWaiting },
  );
  return <QueryState query={record}>{(proof) => <Page proof={proof} />}</QueryState>;
}

function Page({ proof }: { proof: Proof }) {
  const site = useSite();
  const printer = usePrinter(proof.shown_bundle === null);
  return (
    <>
      <PageHeader
        title={`Consent: ${decisionName(proof.decision).toLowerCase()}`}
        back={[site.path('consents'), 'Consents']}
        actions={
          <>
            <Button isPending={printer.waits} onPress={printer.print}>
              {printer.waits ? 'Print …' : 'Print'}
            </Button>
            <EraseSession session={proof.session_id} />
          </>
        }
      >
        {site.name} · {site.domain} (as named today) · <Time at={proof.recorded_at} />
      </PageHeader>
      <Later proof={proof} />
      <div className={style.proof}>
        <Card title="What was chosen">
          <Choices proof={proof} />
        </Card>
        <VendorChoices proof={proof} />
        <Card title="Who">
          <Who proof={proof} />
        </Card>
        <Card title="When">
          <When proof={proof} />
        </Card>
        <Card title="How">
          <How proof={proof} />
        </Card>
        {proof.tcf && (
          <Card title="TC string">
            <TcfFacts tcf={proof.tcf} />
          </Card>
        )}
      </div>
      <div className={style.sealed}>
        <Sealed evidence={proof.evidence} subject={{ consent_id: proof.consent_id }}>
          <ExportPack subject={{ session_id: proof.session_id }} label="Export the whole session" />
          <SaveReceipt proof={proof} />
        </Sealed>
      </div>
      <Shown proof={proof} onShown={printer.ready} />
      <Printed />
    </>
  );
}

/** How long printing waits for the banner, in milliseconds; after that the page is printed without it. */
const MAX_WAIT = 5_000;

/** Prints when the banner is shown, so that it is on the paper. */
function usePrinter(complete: boolean) {
  const [isReady, setReady] = useState(complete);
  const [isWanted, want] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    const now = () => {
      want(false);
      print();
    };
    const timer = setTimeout(now, isReady ? 0 : MAX_WAIT);
    return () => clearTimeout(timer);
  }, [isWanted, isReady]);
  return { waits: isWanted, print: () => want(true), ready: () => setReady(true) };
}

/** Whether this decision is still in force. */
function Later({ proof: { superseded_by, withdrawn_at } }: { proof: Proof }) {
  const { path } = useSite();
  if (superseded_by === null) return null;
  const link = (
    <Link to={path(`consents/${superseded_by.consent_id}`)}>
      {decisionName(superseded_by.decision).toLowerCase()}, <Time at={superseded_by.recorded_at} />
    </Link>
  );
  return withdrawn_at === null ? (
    <Alert title="The visitor made another decision later">The next decision: {link}.</Alert>
  ) : (
    <Alert tone="warn" title="Consent was withdrawn later">
      Something that this decision allowed was taken back on <Time at={withdrawn_at} /> (GDPR Art. 7(3)). The
      next decision: {link}.
    </Alert>
  );
}

/** The footer of the printed page: user, time and address. */
function Printed() {
  const zone = useZone();
  const user = useSession()?.user;
  return (
    <p className={style.printed}>
      Printed by {user?.name} ({user?.email}), {dateTime(new Date().toISOString(), zone)}, from{' '}
      {location.href}
    </p>
  );
}
