import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, ButtonLink, count, ErrorState, Link, Time } from '../../ui';
import style from './new-site.module.css';

/** How often to check for the first visitor, in milliseconds. */
const EVERY = 2_000;

/** Waits for the first impression and the first decision, and reports them. */
export function Arrivals() {
  const { token, path } = useSite();
  const figures = useAnswer(
    keys.site(token, 'analytics', 'arrivals'),
    (api, signal) => api.getAnalytics({ token }, { signal }),
    { refetchInterval: EVERY },
  );
  const decisions = useAnswer(
    keys.site(token, 'consents', 'newest'),
    (api, signal) => api.listConsents({ token, limit: 1 }, { signal }),
    { refetchInterval: EVERY },
  );
  if (figures.error !== null) return <ErrorState error={figures.error} retry={() => figures.refetch()} />;
  const shown = figures.data?.totals.impressions ?? 0;
  const decision = decisions.data?.items[0];
  return (
    <>
      <ul className={style.arrivals} aria-live="polite">
        <Arrival
          here={shown > 0}
          waiting="Waiting for the first impression: open a page of your site in another tab."
        >
          The banner was shown {count(shown)} {shown === 1 ? 'time' : 'times'} in the last 30 days.
        </Arrival>
        <Arrival
          here={decision !== undefined}
          waiting="Waiting for the first decision: choose something in the banner."
        >
          {decision !== undefined && (
            <>
              <Link to={path(`consents/${decision.consent_id}`)}>The newest decision</Link> was recorded on{' '}
              <Time at={decision.recorded_at} />.
            </>
          )}
        </Arrival>
      </ul>
      <div className="row">
        {decision !== undefined ? (
          <ButtonLink variant="primary" to={path()}>
            It works: to the overview
          </ButtonLink>
        ) : (
          <Button isPending={figures.isFetching && figures.isPending} onPress={() => void figures.refetch()}>
            Check again now
          </Button>
        )}
      </div>
    </>
  );
}

function Arrival({ here, waiting, children }: { here: boolean; waiting: string; children: React.ReactNode }) {
  return (
    <li className={here ? style.arrived : undefined}>
      <span className={style.arrivalSign} aria-hidden="true">
        {here ? '✓' : '…'}
      </span>
      <span>{here ? children : waiting}</span>
    </li>
  );
}
