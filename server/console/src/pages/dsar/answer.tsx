import type { Schemas } from '../../app/data';
import { Card, FieldList, Time } from '../../ui';
import style from './dsar.module.css';
import { resolutionName } from './names';

type Dsar = Schemas['DsarProof'];

/** What became of the request, and what the person was told. */
export default function Answer({ dsar }: { dsar: Dsar }) {
  return (
    <Card title="The answer">
      <FieldList
        items={[
          ['Outcome', dsar.resolution && resolutionName(dsar.resolution)],
          ['Resolved', dsar.resolved_at && <Time at={dsar.resolved_at} />],
          ['Note', dsar.resolution_note],
          ['Answer', dsar.answer && <span className={style.said}>{dsar.answer}</span>],
        ]}
      />
    </Card>
  );
}
