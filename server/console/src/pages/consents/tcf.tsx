import { FieldList } from '../../ui';
import { PURPOSES } from '../vendors/purposes';
import type { Proof } from './facts';

const nameOf = (id: number): string => {
  const name = PURPOSES.find((one) => one.id === id)?.name;
  return name === undefined ? `${id}` : `${id}. ${name}`;
};

const named = (ids: readonly number[]) =>
  ids.length === 0 ? (
    'None'
  ) : (
    <ul>
      {ids.map((id) => (
        <li key={id}>{nameOf(id)}</li>
      ))}
    </ul>
  );

const vendorsOf = (text: string | null): string => (text === null ? 'Not said' : text || 'None');
const MATCHES = 'of the banner that is named';

/** What a record's TC string says, in words. */
export function TcfFacts({ tcf }: { tcf: NonNullable<Proof['tcf']> }) {
  return (
    <FieldList
      items={[
        ['Allowed by consent', named(tcf.purposes)],
        ['Legitimate interest, not objected to', named(tcf.leg_int_purposes)],
        ['Special features', tcf.special_features.join(', ') || 'None'],
        ['Vendors with consent', vendorsOf(tcf.vendors)],
        ['Vendors with legitimate interest', vendorsOf(tcf.leg_int_vendors)],
        ['Vendors that were disclosed', vendorsOf(tcf.disclosed_vendors)],
        ['CMP', `${tcf.cmp_id}, version ${tcf.cmp_version}`],
        ['Vendor list', `${tcf.vendor_list_version}, policies ${tcf.policy_version}`],
        ['Publisher’s country', tcf.publisher_country],
        [
          'CMP, list and vendors',
          tcf.matches_bundle === null
            ? undefined
            : tcf.matches_bundle
              ? `Those ${MATCHES}`
              : `Not those ${MATCHES}`,
        ],
      ]}
    />
  );
}
