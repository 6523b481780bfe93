import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { ButtonLink, Card } from '../../ui';

type Check = Schemas['ComplianceCheck'];

/** How many points of the score a check is worth. */
const worth = (check: Check, all: readonly Check[]): number =>
  Math.round((100 * check.weight) / all.reduce((sum, { weight }) => sum + weight, 0));

/** The three that bring the most: what fails before what is not known yet. */
const best = (checks: readonly Check[]): Check[] =>
  checks
    .filter(({ status, remedy }) => status !== 'pass' && !remedy.startsWith('Nothing to do'))
    .sort((a, b) => b.weight - a.weight || a.status.localeCompare(b.status))
    .slice(0, 3);

/** The compliance score with its three best remedies. */
export function Remedies({ score }: { score: Schemas['ComplianceScore'] }) {
  const { path } = useSite();
  const remedies = best(score.checks);
  return (
    <Card
      title="Compliance score"
      actions={
        <ButtonLink small to={path('score')}>
          All checks
        </ButtonLink>
      }
    >
      <div className="score">
        <p className={`grade grade-${score.grade}`}>
          <span className="grade-letter">{score.grade}</span>
          <span>
            {score.score}
            <span className="muted"> of 100</span>
          </span>
        </p>
        {remedies.length === 0 ? (
          <p>Every check passes.</p>
        ) : (
          <ol className="remedies">
            {remedies.map((check) => (
              <li key={check.id}>
                <strong>{check.title}</strong>{' '}
                <span className="muted">+{worth(check, score.checks)} points</span>
                <p>{check.remedy}</p>
                <p className="hint">{check.legal_reference}</p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  );
}
