import { keys, type Schemas, useAnswer } from '../../app/data';
import { useNewRequests } from '../../app/new-requests';
import { useSite } from '../../app/site';
import { Badge, ButtonLink, EmptyState, InTurn, PageHeader, part, useZone } from '../../ui';
import { daysOf, instantsOf, today } from '../analytics/period';
import { useScore } from '../score/advice';
import { ActNow } from './act-now';
import { NewRequests } from './new-requests';
import { Rates } from './rates';
import { Remedies } from './remedies';
import { Trend } from './trend';

const MINUTE = 60_000;

/** What needs attention, the decisions of visitors, and what would improve the score most. */
export default function Overview() {
  const site = useSite();
  const { token } = site;
  const zone = useZone();
  // The same days as on the analytics page, so that both show the same numbers.
  const range = instantsOf(daysOf('30', today(zone)), zone);
  const analytics = useAnswer(keys.site(token, 'analytics', 'overview', range), (api, signal) =>
    api.getAnalytics({ token, ...range, bots: false }, { signal }),
  );
  const score = useScore();
  const requests = useNewRequests(token);
  const warnings = useAnswer(
    keys.site(token, 'warnings'),
    (api, signal) => api.listWarnings({ token }, { signal }),
    { refetchInterval: MINUTE },
  );
  const isQuiet = requests.data?.items.length === 0;
  return (
    <>
      <PageHeader
        title={site.name}
        actions={<ButtonLink to={site.path('analytics')}>All figures</ButtonLink>}
      >
        {site.domain} {site.status === 'paused' && <Badge tone="warn">Paused: visitors are refused</Badge>}
        {site.status === 'archived' && <Badge tone="warn">Archived: visitors are refused</Badge>}
      </PageHeader>
      <InTurn
        parts={[
          part(warnings, ({ items }) => <ActNow warnings={items} isQuiet={isQuiet} />),
          part(requests, (found) => <NewRequests found={found} />),
          part(analytics, (figures) => <Figures figures={figures} />),
          part(score, (found) => <Remedies score={found} />),
        ]}
      />
    </>
  );
}

function Figures({ figures }: { figures: Schemas['Analytics'] }) {
  const { path } = useSite();
  const { impressions, decisions } = figures.totals;
  if (impressions === 0 && decisions === 0) {
    return (
      <EmptyState
        title="No visitor has seen the banner in the last 30 days"
        action={<ButtonLink to={path('install')}>Install the banner</ButtonLink>}
      >
        Impressions and decisions appear here as soon as the snippet is on your pages.
      </EmptyState>
    );
  }
  return (
    <>
      <Rates figures={figures} />
      <Trend figures={figures} />
    </>
  );
}
