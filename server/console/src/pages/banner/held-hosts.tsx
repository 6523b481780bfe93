import { useState } from 'react';
import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { Badge, Button, type Column, EmptyState, Table } from '../../ui';
import { Segments } from '../../ui/segments';

type Place = Schemas['AutoBlockingPlace'];
type Shown = 'yours' | 'all';

const SOURCES: Record<Place['source'], string> = {
  own_rule: 'Your rule',
  vendor_list: 'List of vendors',
  known: 'Known tracker',
  scan: 'Scan alone',
  own_host: 'Your own',
};
const REASONS: Record<Place['reason'], string> = {
  needs_consent: 'Needs consent',
  own_rule: 'Never waits, by your rule',
  first_party: 'Belongs to the site',
  necessary: 'Strictly necessary',
  library: 'Delivers libraries without which pages do not work',
  unclassified: 'Nobody knows what it is for',
  no_category: 'The site has no category for it that visitors can refuse',
  no_room: 'A page can hold no more rules, or too many hosts of one domain: make a rule for the whole domain',
};
/** What is known of it without a rule of the owner. */
const FIXED: readonly Place['reason'][] = ['first_party', 'necessary'];

/** Which hosts wait for what, which do not, and why; an owner can give each a rule. */
export function HeldHosts({
  places,
  onRule,
}: {
  places: readonly Place[];
  onRule?: ((place: string, category: string | null) => void) | undefined;
}) {
  const { categories } = useSite().settings;
  const [shown, setShown] = useState<Shown>('yours');
  const nameOf = (key: string): string => categories.find((one) => one.key === key)?.name ?? key;
  const first = categories.find(({ required }) => !required)?.key;
  const yours = places.filter(({ contacted, held, source }) => contacted || held || source === 'own_rule');
  const rows = shown === 'yours' ? yours : places;
  const columns: Column<Place>[] = [
    {
      title: 'Host',
      cell: ({ place, vendor }) => (
        <>
          {place}
          {vendor !== undefined && <span className="hint block">{vendor}</span>}
        </>
      ),
    },
    {
      title: 'Waits for',
      cell: ({ category, reason }) => (
        <>
          {category === null ? <Badge>Let pass</Badge> : <Badge tone="good">{nameOf(category)}</Badge>}
          <span className="hint block">{REASONS[reason]}</span>
        </>
      ),
    },
    { title: 'Known by', cell: ({ source }) => SOURCES[source] },
    {
      title: 'Seen by scans before a decision',
      cell: ({ contacted, held }) =>
        held ? (contacted ? 'Held, and asked all the same' : 'Held') : contacted ? 'Contacted' : 'Not seen',
    },
    ...(onRule === undefined
      ? []
      : [
          {
            title: 'Rule',
            cell: ({ place, category, reason, source }: Place) =>
              FIXED.includes(reason) || source === 'own_rule' ? null : category === null ? (
                first !== undefined && (
                  <Button small aria-label={`Hold: ${place}`} onPress={() => onRule(place, first)}>
                    Hold
                  </Button>
                )
              ) : (
                <Button small aria-label={`Let pass: ${place}`} onPress={() => onRule(place, null)}>
                  Let pass
                </Button>
              ),
          },
        ]),
  ];
  return (
    <>
      <Segments
        label="Hosts"
        options={[
          ['yours', `Of your pages and rules (${yours.length})`],
          ['all', `All that are known (${places.length})`],
        ]}
        value={shown}
        onChange={setShown}
      />
      {rows.length === 0 ? (
        <EmptyState title="Scans found nothing that waits">
          Known trackers wait wherever pages load them.
        </EmptyState>
      ) : (
        <Table label="Hosts" rows={rows} rowKey={({ place }) => place} columns={columns} />
      )}
    </>
  );
}
