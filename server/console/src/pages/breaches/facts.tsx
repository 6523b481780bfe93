import type { Schemas } from '../../app/data';
import { count, FieldList, Time } from '../../ui';

interface Facts {
  breach: Schemas['Breach'];
}

const at = (instant: string | null) => instant && <Time at={instant} />;
const number = (value: number | null) => (value === null ? 'Unknown' : count(value));

export const Story = ({ breach }: Facts) => (
  <FieldList
    items={[
      ['Nature', breach.nature],
      ['Description', breach.description],
      ['Likely consequences', breach.consequences],
      ['Measures', breach.measures],
    ]}
  />
);

export const Times = ({ breach }: Facts) => (
  <FieldList
    items={[
      ['Known since', at(breach.aware_at)],
      ['Report until', at(breach.notify_by)],
      ['Began', at(breach.occurred_from)],
      ['Ended', at(breach.occurred_to)],
      ['People informed', at(breach.subjects_informed_at) ?? 'Not yet'],
      ['Recorded', at(breach.created_at)],
    ]}
  />
);

export const Affected = ({ breach }: Facts) => (
  <FieldList
    items={[
      ['People', breach.subject_categories.join(', ') || 'Not known yet'],
      ['Number of people', number(breach.affected_subjects)],
      ['Data', breach.data_categories.join(', ') || 'Not known yet'],
      ['Number of records', number(breach.affected_records)],
    ]}
  />
);

export const Report = ({ breach }: Facts) => (
  <FieldList
    items={[
      ['Reported', at(breach.reported_at)],
      ['Authority', breach.authority],
      ['Reference', breach.authority_reference],
      ['Why late', breach.late_reason],
    ]}
  />
);
