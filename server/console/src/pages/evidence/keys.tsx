import type { Schemas } from '../../app/data';
import { Card, type Column, CopyButton, Table, Time } from '../../ui';
import style from './evidence.module.css';
import type { Log } from './log-state';

type Key = Schemas['EvidenceKey'];

/** The keys of the log, the present one first. */
export function Keys({ log: { keys } }: { log: Log }) {
  if (keys.length === 0) return null;
  const columns: Column<Key>[] = [
    { title: 'Key', cell: ({ vkey }) => <CopiedCode text={vkey} /> },
    { title: 'Signs since', cell: ({ from }) => <Time at={from} /> },
    { title: 'Until', cell: ({ until }) => (until === null ? 'Now' : <Time at={until} />) },
    { title: 'Endorsed', cell: (key) => endorsed(keys[keys.indexOf(key) - 1]) },
  ];
  return (
    <Card title="Keys">
      <p className="muted">
        The log is signed with the newest key. Give these lines to whoever wants to check your packs later:
        then nobody can pass off another key as yours.
      </p>
      <Table label="Keys" rows={[...keys].reverse()} rowKey={({ vkey }) => vkey} columns={columns} />
    </Card>
  );
}

/** A lost key cannot endorse its successor. */
function endorsed(before: Key | undefined): string {
  if (before === undefined) return 'The first key';
  return before.successor_signature === null ? 'No: the key before was lost' : 'By the key before';
}

/** A line to copy. */
export const CopiedCode = ({ text }: { text: string }) => (
  <span className={style.copied}>
    <code>{text}</code>
    <CopyButton text={text} />
  </span>
);
