import './score.css';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Card, PageHeader, QueryState, Time, type Tone } from '../../ui';
import { CheckRow } from './check-row';

type Score = Schemas['ComplianceScore'];
type Check = Schemas['ComplianceCheck'];

/** How well the site keeps the rules, and what to do next. */
export default function ScorePage() {
  const { token } = useSite();
  const key = keys.site(token, 'compliance-score');
  const score = useAnswer(key, (api, signal) => api.getComplianceScore({ token }, { signal }));
  const again = useAction(async () => undefined, { changes: [key] });
  return (
    <>
      <PageHeader
        title="Compliance score"
        actions={
          <Button isPending={again.pending} onPress={() => again.run(undefined)}>
            Check again
          </Button>
        }
      >
        Computed from evidence each time it is read. What nobody knows yet never counts as kept. It helps to
        find gaps; it is no legal advice.
      </PageHeader>
      <QueryState query={score}>{(data) => <Report score={data} />}</QueryState>
    </>
  );
}

const TONES: Record<Score['grade'], Tone> = {
  A: 'good',
  B: 'good',
  C: 'warn',
  D: 'warn',
  E: 'bad',
  F: 'bad',
};

/** What fails comes first, then what is not known; the weightiest of each first. */
const GROUPS: readonly (readonly [Check['status'], string])[] = [
  ['fail', 'To mend'],
  ['unknown', 'Not known yet'],
  ['pass', 'Kept'],
];

function Report({ score }: { score: Score }) {
  const total = score.checks.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <>
      <Card>
        <div className="score-head">
          <span className={`score-grade ${TONES[score.grade]}`}>
            <span className="visually-hidden">Grade </span>
            {score.grade}
          </span>
          <div className="stack">
            <span>
              <span className="score-number">{score.score}</span> of 100 points
            </span>
            <meter className="score-bar" min={0} max={100} value={score.score} aria-label="Points of 100" />
            <span className="hint">
              Computed <Time at={score.computed_at} />. A from 90 points, B 75, C 60, D 45, E 30.
            </span>
          </div>
        </div>
      </Card>
      {GROUPS.map(([status, title]) => {
        const checks = score.checks.filter((check) => check.status === status);
        if (checks.length === 0) return null;
        return (
          <Card key={status} title={`${title} (${checks.length})`}>
            <ul className="checks">
              {checks
                .sort((a, b) => b.weight - a.weight)
                .map((check) => (
                  <CheckRow key={check.id} check={check} points={(100 * check.weight) / total} />
                ))}
            </ul>
          </Card>
        );
      })}
    </>
  );
}
