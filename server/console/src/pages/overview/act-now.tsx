import { useState } from 'react';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { remedyOf } from '../../app/links';
import { useSite } from '../../app/site';
import { Badge, Button, ButtonLink, Card, QueryState, Time } from '../../ui';

const TONES = { critical: 'bad', warning: 'warn', info: 'info' } as const;
const NAMES = { critical: 'Urgent', warning: 'Soon', info: 'To know' };
/** As many as are read at a glance; the rest is shown when asked for. */
const SHOWN = 6;
const MINUTE = 60_000;

/** What the law's clocks and the site's receivers ask for now, each with the way to the record. */
export function ActNow() {
  const { token } = useSite();
  const warnings = useAnswer(
    keys.site(token, 'warnings'),
    (api, signal) => api.listWarnings({ token }, { signal }),
    { refetchInterval: MINUTE },
  );
  return <QueryState query={warnings}>{({ items }) => <Strip warnings={items} />}</QueryState>;
}

function Strip({ warnings }: { warnings: Schemas['Warning'][] }) {
  const [all, showAll] = useState(false);
  if (warnings.length === 0) {
    return (
      <p className="all-clear">
        <span aria-hidden="true">✓</span> Nothing needs your attention now.
      </p>
    );
  }
  return (
    <Card title={`Act now (${warnings.length})`}>
      <ul className="warnings">
        {warnings.slice(0, all ? undefined : SHOWN).map((warning) => (
          <Entry key={`${warning.code} ${warning.subject_id} ${warning.message}`} {...warning} />
        ))}
      </ul>
      {!all && warnings.length > SHOWN && (
        <div>
          <Button small onPress={() => showAll(true)}>
            Show all {warnings.length}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Entry(warning: Schemas['Warning']) {
  const { path } = useSite();
  const remedy = remedyOf(warning);
  return (
    <li>
      <Badge tone={TONES[warning.severity]}>{NAMES[warning.severity]}</Badge>
      <div className="warning-text">
        {warning.message}
        <span className="hint block">
          {/_clock|_due$/.test(warning.code) ? 'Until' : 'Since'} <Time at={warning.since} />
        </span>
      </div>
      <ButtonLink small to={path(remedy.path)}>
        {remedy.action}
      </ButtonLink>
    </li>
  );
}
