import { Alert, Button, CodeBlock } from '../../ui';

/** The text of a key, which is shown only once. */
export function ShownKey({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <>
      <CodeBlock label="API key" code={text} />
      <Alert tone="warn" title="It is shown only once">
        Keep it where your program keeps its secrets, never in a page or in a repository. If it gets lost,
        rotate the key; if somebody else has seen it, revoke it.
      </Alert>
      <div className="row end">
        <Button variant="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </>
  );
}
