import { keys, useAnswer } from '../../app/data';
import { fieldErrors } from '../../app/errors';
import { useSite } from '../../app/site';
import { PageHeader, QueryState, useZone } from '../../ui';
import { Filters } from './filters';
import { instantsOf } from './period';
import { Report } from './report';
import { useView } from './view';

/** The decisions of visitors, over time and by group. */
export default function AnalyticsPage() {
  const { token } = useSite();
  const zone = useZone();
  const [view, change] = useView();
  const { interval, group } = view;
  const range = instantsOf(view.days, zone);
  const request = {
    ...range,
    interval,
    ...(group !== '' && { group_by: group }),
    // Hourly counts do not separate bots.
    ...(interval !== 'hour' && { bots: false }),
  };
  const report = useAnswer(
    keys.site(token, 'analytics', request),
    (api, signal) => api.getAnalytics({ token, ...request }, { signal }),
    { keep: true },
  );
  const refused = fieldErrors(report.error).length > 0 ? report.error : null;
  return (
    <>
      <PageHeader title="Analytics">
        The decisions of visitors, counted when they were made. Days are those of the site’s time zone, {zone}
        .
      </PageHeader>
      <Filters view={view} change={change} error={refused} />
      {refused === null && (
        <QueryState query={report}>{(data) => <Report data={data} group={group} />}</QueryState>
      )}
    </>
  );
}
