import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, GuideLink, PageHeader, QueryState } from '../../ui';
import { Check } from './check';
import { ExportRange } from './export-range';
import { Keys } from './keys';
import { type Log, LogState } from './log-state';
import { Vouchers } from './vouchers';

/** The evidence log of the site: its state, its keys, who vouches for it, and packs of it. */
export default function EvidencePage() {
  const { token } = useSite();
  const log = useAnswer(
    keys.site(token, 'evidence'),
    (api, signal) => api.getEvidenceLog({ token }, { signal }),
    { isSealing: ({ behind }) => behind },
  );
  return (
    <>
      <PageHeader
        title="Evidence"
        actions={<GuideLink to="guides/what-to-hand-to-an-authority">What to hand to an authority</GuideLink>}
      >
        Consents, form consents, banners, settings, vendors, and the steps of requests and breaches are sealed
        in a log that only grows. It holds hashes, nothing of a person. With it anybody can check that a
        record was not changed later, without trusting you or this server.
      </PageHeader>
      <QueryState query={log}>{(found) => <Page log={found} />}</QueryState>
    </>
  );
}

const Page = ({ log }: { log: Log }) => (
  <>
    {log.size === null && (
      <Alert title="Nothing is sealed yet">
        The log begins when the first record is sealed, usually within a minute after it was made.
      </Alert>
    )}
    <ExportRange />
    <LogState log={log} />
    <Vouchers log={log} />
    <Keys log={log} />
    <Check log={log} />
  </>
);
