import type { Schemas } from '../../app/data';
import { count, FieldList, Time } from '../../ui';

interface Facts {
  breach: Schemas['Breach'];
}

const UNKNOWN = 'Not known yet';
const at = (instant: string | null) => instant && <Time at={instant} />;
const number = (value: number | null) => (value === null ? 'Unknown' : count(value));

export const Story = ({ breach }: Facts) => (
  <FieldList
    items={[
      ['Nature', breach.nature || UNKNOWN],
      ['Description', breach.description || UNKNOWN],
      ['Likely consequences', breach.consequences || UNKNOWN],
      ['Measures', breach.measures || UNKNOWN],
    ]}
  />
);

export const Times = ({ breach }: Facts) => (
  <FieldList
    items={[
      ['Known since', at(breach.aware_at)],
      ['Report until', breach.status === 'not_reportable' ? 'Not needed' : at(breach.notify_by)],
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
      ['People', breach.subject_categories.join(', ') || UNKNOWN],
      ['Number of people', number(breach.affected_subjects)],
      ['Data', breach.data_categories.join(', ') || UNKNOWN],
      ['Number of records', number(breach.affected_records)],
    ]}
  />
);

export const Assessment = ({ breach }: Facts) => (
  <FieldList
    items={[
      ['Judged', at(breach.not_reportable_at)],
      ['Why a risk is unlikely', breach.not_reportable_reason],
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
