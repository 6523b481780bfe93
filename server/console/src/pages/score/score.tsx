import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Card, PageHeader, QueryState, Time } from '../../ui';
import { checksOf, useScore, worth } from './advice';
import { CheckRow } from './check-row';
import { GRADE_TONES } from './grades';
import style from './score.module.css';

type Score = Schemas['ComplianceScore'];
type Check = Schemas['ComplianceCheck'];

/** The compliance score of the site, and what to do next. */
export default function ScorePage() {
  const { token } = useSite();
  const score = useScore();
  const again = useAction(async () => undefined, { changes: [keys.site(token, 'compliance-score')] });
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
        Computed from evidence each time it is read. What visitors see is judged by the published banner, not
        by what is only saved. A check that is not known yet never counts as passed. It helps to find gaps; it
        is no legal advice.
      </PageHeader>
      <QueryState query={score}>{(data) => <Report score={data} />}</QueryState>
    </>
  );
}

const COLOURS = { good: style.good, warn: style.warn, bad: style.bad };

/** Failed checks first, then unknown ones; heaviest weight first. */
const GROUPS: readonly (readonly [Check['status'], string])[] = [
  ['fail', 'To fix'],
  ['unknown', 'Not known yet'],
  ['pass', 'Kept'],
];

function Report({ score }: { score: Score }) {
  const held = score.checks.find(({ id }) => id === score.capped_by);
  return (
    <>
      <Card>
        <div className={style.scoreHead}>
          <span className={`${style.scoreGrade} ${COLOURS[GRADE_TONES[score.grade]]}`}>
            <span className="visually-hidden">Grade </span>
            {score.grade}
          </span>
          <div className="stack">
            <span>
              <span className={style.scoreNumber}>{score.score}</span> of 100 points
            </span>
            <meter
              className={style.scoreBar}
              min={0}
              max={100}
              value={score.score}
              aria-label="Points of 100"
            />
            <span className="hint">
              Computed <Time at={score.computed_at} />. A from 90 points, B 75, C 60, D 45, E 30.
            </span>
            {held !== undefined && (
              <span>
                The grade cannot be better than {score.grade} until this check passes: {held.title}.
              </span>
            )}
          </div>
        </div>
      </Card>
      {GROUPS.map(([status, title]) => {
        const checks = checksOf(score, status);
        if (checks.length === 0) return null;
        return (
          <Card key={status} title={`${title} (${checks.length})`}>
            <ul className={style.checks}>
              {checks.map((check) => (
                <CheckRow key={check.id} check={check} points={worth(check, score)} />
              ))}
            </ul>
          </Card>
        );
      })}
    </>
  );
}
