import type { Schemas } from '../../app/data';
import { Badge, Countdown, Time, type Tone, words } from '../../ui';

type Severity = Schemas['BreachSeverity'];

export const SEVERITIES: readonly (readonly [Severity, string])[] = [
  ['unknown', 'Not known yet'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['critical', 'Critical'],
];

const TONES: Record<Severity, Tone | 'neutral'> = {
  unknown: 'neutral',
  low: 'neutral',
  medium: 'info',
  high: 'warn',
  critical: 'bad',
};

export const SeverityBadge = ({ severity }: { severity: Severity }) => (
  <Badge tone={TONES[severity]}>{severity === 'unknown' ? 'Severity not known' : words(severity)}</Badge>
);

/** Missing facts, in the words of the form. */
export const FACTS: Record<Schemas['BreachFact'], string> = {
  nature: 'the nature of the breach',
  description: 'a description',
  severity: 'the severity',
  data_categories: 'the categories of data',
  subject_categories: 'the categories of people',
  affected_subjects: 'the number of people',
  affected_records: 'the number of records',
  consequences: 'the likely consequences',
  measures: 'the measures',
};

/** The remaining time, the time of the report, or that no report is needed. */
export function Clock({ breach }: { breach: Schemas['Breach'] }) {
  if (breach.status === 'not_reportable') return <Badge tone="neutral">Need not be reported</Badge>;
  if (breach.reported_at === null) return <Countdown until={breach.notify_by} />;
  const isLate = breach.reported_at > breach.notify_by;
  return (
    <span className="row">
      <Badge tone={isLate ? 'warn' : 'good'}>{isLate ? 'Reported late' : 'Reported in time'}</Badge>
      <Time at={breach.reported_at} />
    </span>
  );
}
