import { useSite } from '../../app/site';
import { Button, Card, DateTimeField, Form, useDraft } from '../../ui';
import { usePack } from './export-pack';

/** A pack of everything that was recorded in a range of dates, or so far. */
export function ExportRange() {
  const { may } = useSite();
  const draft = useDraft({ from: '', to: '' }, 'query.');
  const pack = usePack();
  const { from, to } = draft.value;
  return (
    <Card title="Export an evidence pack">
      <p>
        One file with records, their proofs, the banners, settings and vendors that they name, and a statement
        to read and print. Leave both fields empty for everything so far. The pack of one consent, form
        consent, request or breach is on its own page.
      </p>
      {may('operator') ? (
        <Form
          action={pack}
          onSubmit={() => pack.run({ ...(from && { from }), ...(to && { to }) })}
          submit="Export evidence pack"
          extra={<Clear isShown={draft.dirty} clear={() => draft.set({ from: '', to: '' })} />}
        >
          <div className="two">
            <DateTimeField label="From" {...draft.bind('from')} />
            <DateTimeField label="Before" {...draft.bind('to')} />
          </div>
          <p className="hint">
            A pack holds at most 200,000 consent records, so that its file stays below 4 GB, which every
            program can open. For more, export several ranges, such as one for each month.
          </p>
        </Form>
      ) : (
        <p className="hint">
          Only operators and owners can export evidence packs: they name sessions in full.
        </p>
      )}
    </Card>
  );
}

const Clear = ({ isShown, clear }: { isShown: boolean; clear: () => void }) =>
  isShown && (
    <Button variant="quiet" onPress={clear}>
      Clear the range
    </Button>
  );
