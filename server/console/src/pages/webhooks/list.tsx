import type { Input } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { ButtonLink, type Column, Link, PagedTable, PageHeader, Select, Time } from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { eventsOf, hostOf, many, type Webhook, WebhookBadge, WebhookSections } from './names';
import { Reactivate } from './reactivate';
import { SendFailedAgain } from './send-failed-again';

/** The site's webhooks and their state. */
export default function Webhooks() {
  const { token, path } = useSite();
  const filters = useFilters({ status: '' });
  const filter = given(filters.applied) as Partial<Input<'listWebhooks'>>;
  const list = usePages(keys.site(token, 'webhooks', 'list', filter), (api, cursor, signal) =>
    api.listWebhooks({ token, ...filter, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        actions={
          <span className="row">
            <SendFailedAgain />
            <Allowed to="owner">
              <ButtonLink to={path('webhooks/new')} variant="primary">
                New webhook
              </ButtonLink>
            </Allowed>
          </span>
        }
      >
        Signed messages to your systems. After 5 failures in a row a webhook is disabled, and its events are
        held.
      </PageHeader>
      <WebhookSections />
      <FilterBar filters={filters} error={list.error} atOnce>
        <Select
          label="State"
          {...filters.choice('status')}
          options={[
            ['', 'All'],
            ['active', 'Active'],
            ['failing', 'Failing'],
            ['disabled', 'Disabled'],
            ['paused', 'Paused'],
          ]}
        />
      </FilterBar>
      <PagedTable
        label="Webhooks"
        pages={list}
        columns={useColumns()}
        rowKey={({ webhook_id }) => webhook_id}
        empty={
          filters.active
            ? ['No webhook is in this state', 'Clear the filter above to see all.']
            : [
                'No webhook yet',
                'A webhook tells your systems about decisions, requests and breaches as they occur.',
              ]
        }
      />
    </>
  );
}

function useColumns(): Column<Webhook>[] {
  const { path } = useSite();
  return [
    {
      title: 'Receiver',
      cell: (webhook) => (
        <>
          <Link to={path(`webhooks/${webhook.webhook_id}`)}>{webhook.description ?? hostOf(webhook)}</Link>
          <span className="hint block">{webhook.url}</span>
        </>
      ),
    },
    { title: 'Events', cell: eventsOf },
    { title: 'State', cell: (webhook) => <State webhook={webhook} /> },
    { title: 'Waiting', numeric: true, cell: ({ held, pending }) => many(held + pending) },
    {
      title: 'Last success',
      cell: ({ last_success_at }) => (last_success_at === null ? '–' : <Time at={last_success_at} />),
    },
  ];
}

const State = ({ webhook }: { webhook: Webhook }) => (
  <span className="row">
    <WebhookBadge status={webhook.status} />
    {webhook.status !== 'failing' && <Reactivate webhook={webhook} small />}
    {webhook.last_error !== null && webhook.status !== 'active' && (
      <span className="hint">{webhook.last_error}</span>
    )}
  </span>
);
