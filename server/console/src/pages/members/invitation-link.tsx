import { Alert, Button, CodeBlock } from '../../ui';

/** The link that lets an invited person in, shown this once. */
export function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <>
      <CodeBlock label="Invitation link" code={link} />
      <Alert tone="warn" title="It is shown only now">
        The person chooses a password behind it. It works once, for 7 days. If it gets lost, make a new one in
        the list of members.
      </Alert>
      <div className="row end">
        <Button variant="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </>
  );
}
