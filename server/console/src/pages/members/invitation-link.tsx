import { Alert, Button, CodeBlock } from '../../ui';

/** The link that lets an invited person in, shown this once. */
export function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <>
      <CodeBlock label="Invitation link" code={link} />
      <Alert tone="warn" title="It is shown only now">
        Hand it to the person, and to nobody else: they accept with their account, or choose a password if
        they have none. It works once, for 7 days, for this site. If it gets lost, make a new one in the list
        of members.
      </Alert>
      <div className="row end">
        <Button variant="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </>
  );
}
