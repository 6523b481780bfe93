import type { Output } from '@avow/sdk';
import { useSite } from '../../app/site';
import { Badge, FieldList, Link, Table, Time } from '../../ui';
import { decisionName, METHODS, recorderName } from './names';

export type Proof = Output<'getConsent'>;

/** The choice for each category, with the names that were shown to the visitor. */
export function Choices({ proof }: { proof: Proof }) {
  const { categories } = proof.shown.settings;
  const known = new Set(categories.map(({ key }) => key));
  const others = Object.keys(proof.categories).filter((key) => !known.has(key));
  const rows = [...categories, ...others.map((key) => ({ key, name: key, required: false }))];
  return (
    <Table
      label="Choice by category"
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        { title: 'Category', cell: ({ name }) => name },
        {
          title: 'Choice',
          cell: ({ key, required }) => <Choice value={required ? 'required' : choiceOf(proof, key)} />,
        },
      ]}
    />
  );
}

/** A category's key may be the name of a property that every object has. */
const choiceOf = ({ categories }: Pick<Proof, 'categories'>, key: string): boolean | undefined =>
  Object.hasOwn(categories, key) ? categories[key] : undefined;

function Choice({ value }: { value: boolean | 'required' | undefined }) {
  if (value === 'required') return <Badge>Always active</Badge>;
  if (value === undefined) return <span className="muted">Not asked</span>;
  return <Badge tone={value ? 'good' : 'bad'}>{value ? 'Allowed' : 'Refused'}</Badge>;
}

export const Who = ({ proof }: { proof: Proof }) => (
  <FieldList
    items={[
      ['Session', <SessionLink key="session" id={proof.session_id} />],
      ['IP address, masked', <code key="ip">{proof.ip_masked}</code>],
      ['Browser', proof.user_agent ?? 'Not sent'],
      ['Global Privacy Control', proof.gpc ? 'On: the browser sent Sec-GPC: 1' : 'Not sent'],
    ]}
  />
);

function SessionLink({ id }: { id: string }) {
  const { path } = useSite();
  return (
    <Link to={`${path('consents')}?id=${encodeURIComponent(id)}`} title="All records of this session">
      <code>{id}</code>
    </Link>
  );
}

/** Whoever renames or removes a category leaves open what visitors decided about it. */
const notWithdrawn = ({ superseded_by }: Proof): string =>
  superseded_by === null || superseded_by.not_asked.length === 0
    ? 'No'
    : `No, but the next decision was not asked about ${superseded_by.not_asked.join(', ')} any more: whoever decided cannot have withdrawn it there`;

export const When = ({ proof }: { proof: Proof }) => (
  <FieldList
    items={[
      ['Recorded', <Time key="at" at={proof.recorded_at} />],
      ['Asked again', <Time key="until" at={proof.expires_at} />],
      [
        'Withdrawn',
        proof.withdrawn_at === null ? notWithdrawn(proof) : <Time key="withdrawn" at={proof.withdrawn_at} />,
      ],
      ['Record', <code key="id">{proof.consent_id}</code>],
    ]}
  />
);

/** In words, and whether what was shown had it. */
function ruleOf({ rule, shown_bundle, matches_rule }: Proof): string {
  const words = RULES[rule ?? 'opt_in'];
  if (matches_rule !== false) return words;
  return `${words}, as it was sent; the ${shown_bundle === null ? 'settings' : 'banner'} had another rule`;
}

const RULES = {
  opt_in: 'Asked first',
  opt_out: 'Allowed until the visitor objects, so that nothing left on is a consent',
  notice: 'Told only, so that nothing left on is a consent',
};

/** The record of the decision, of one that the visitor brought along from another domain. */
function Source({ id }: { id: string }) {
  const { path } = useSite();
  return (
    <Link to={path(`consents/${id}`)} title="The decision that the visitor brought along">
      <code>{id}</code>
    </Link>
  );
}

export const How = ({ proof }: { proof: Proof }) => (
  <FieldList
    items={[
      ['Decision', decisionName(proof.decision)],
      ['Made', `${METHODS[proof.method]}, ${recorderName(proof.recorded_by).toLowerCase()}`],
      ['Taken from', proof.linked_from && <Source id={proof.linked_from} />],
      ['Language', proof.language],
      ['Page', proof.page_url],
      ['Privacy policy', `Version ${proof.policy_version}`],
      ['TCF string', proof.tc_string && <code>{proof.tc_string}</code>],
      ['Region', proof.region ?? (proof.rule && 'Not known')],
      ['Rule', proof.rule && ruleOf(proof)],
      ['GPP string', proof.gpp_string && <code>{proof.gpp_string}</code>],
    ]}
  />
);
