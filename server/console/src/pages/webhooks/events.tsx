import type { Input, Item } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { useSite } from '../../app/site';
import { CodeBlock, type Column, DateTimeField, PagedTable, PageHeader, Select, Time } from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { EVENTS, WebhookSections } from './names';

type Event = Item<'listEvents'>;

const NONE = { event: '', from: '', to: '' };

const COLUMNS: Column<Event>[] = [
  { title: 'When', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { title: 'Event', cell: ({ event }) => event },
  {
    title: 'Message to receivers',
    cell: ({ event, payload }) => (
      <details>
        <summary>Payload</summary>
        <CodeBlock label={`Payload of ${event}`} code={JSON.stringify(payload, null, 2)} />
      </details>
    ),
  },
];

/** All events, newest first, whether or not a webhook gets them. */
export default function Events() {
  const { token } = useSite();
  const filters = useFilters(NONE);
  const filter = given(filters.applied) as Partial<Input<'listEvents'>>;
  const list = usePages(keys.site(token, 'events', filter), (api, cursor, signal) =>
    api.listEvents({ token, order: 'newest', ...filter, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Events"
        actions={
          <ExportButtons
            ask={(api, format, options) => api.exportEvents({ token, format, ...filter }, options)}
          />
        }
      >
        Events, with the message that receivers get. Decisions appear here once a webhook has subscribed to
        them.
      </PageHeader>
      <WebhookSections />
      <FilterBar filters={filters} error={list.error}>
        <Select
          label="Event"
          {...filters.choice('event')}
          options={[['', 'All'], ...EVENTS.map(([key]) => [key, key] as const)]}
        />
        <DateTimeField label="From" {...filters.text('from')} />
        <DateTimeField label="Before" {...filters.text('to')} />
      </FilterBar>
      <PagedTable
        label="Events"
        pages={list}
        columns={COLUMNS}
        rowKey={({ event_id }) => event_id}
        empty={
          filters.active
            ? ['No matching event', 'Change or clear the filters above.']
            : [
                'No events yet',
                'Requests and breaches make events, and so do decisions once a webhook has subscribed to them.',
              ]
        }
      />
    </>
  );
}
