import { keys, useAnswer } from '../../app/data';
import { fieldErrors } from '../../app/errors';
import { useSite } from '../../app/site';
import { PageHeader, QueryState, useZone } from '../../ui';
import { Filters } from './filters';
import { instantsOf } from './period';
import { Report } from './report';
import { useView } from './view';

/** What visitors decided, over time and by group. */
export default function AnalyticsPage() {
  const { token } = useSite();
  const zone = useZone();
  const [view, change] = useView();
  const { interval, group } = view;
  const range = instantsOf(view.days, zone);
  const asked = {
    ...range,
    interval,
    ...(group !== '' && { group_by: group }),
    // By the hour, nobody has counted them apart.
    ...(interval !== 'hour' && { bots: false }),
  };
  const report = useAnswer(
    keys.site(token, 'analytics', asked),
    (api, signal) => api.getAnalytics({ token, ...asked }, { signal }),
    { keep: true },
  );
  const refused = fieldErrors(report.error).length > 0 ? report.error : null;
  return (
    <>
      <PageHeader title="Analytics">
        What visitors decided, counted when it happened. Days are those of the site’s time zone, {zone}.
      </PageHeader>
      <Filters view={view} change={change} error={refused} />
      {refused === null && (
        <QueryState query={report}>{(data) => <Report data={data} group={group} />}</QueryState>
      )}
    </>
  );
}
