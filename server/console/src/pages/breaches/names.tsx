import type { Schemas } from '../../app/data';
import { Badge, Countdown, Time, type Tone, words } from '../../ui';

type Severity = Schemas['BreachSeverity'];

export const SEVERITIES: readonly (readonly [Severity, string])[] = [
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['critical', 'Critical'],
];

const TONES: Record<Severity, Tone | 'neutral'> = {
  low: 'neutral',
  medium: 'info',
  high: 'warn',
  critical: 'bad',
};

export const SeverityBadge = ({ severity }: { severity: Severity }) => (
  <Badge tone={TONES[severity]}>{words(severity)}</Badge>
);

/** The running 72 hours, or when it was reported. */
export function Clock({ breach }: { breach: Schemas['Breach'] }) {
  if (breach.reported_at === null) return <Countdown until={breach.notify_by} />;
  const isLate = breach.reported_at > breach.notify_by;
  return (
    <span className="row">
      <Badge tone={isLate ? 'warn' : 'good'}>{isLate ? 'Reported late' : 'Reported in time'}</Badge>
      <Time at={breach.reported_at} />
    </span>
  );
}
