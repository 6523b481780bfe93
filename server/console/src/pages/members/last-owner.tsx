import { Alert, Button, Dialog } from '../../ui';

/** Explains why the last owner cannot be changed or removed. */
export function LastOwner({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Alert tone="warn" title="This is the last owner who can log in">
        Without an owner, nobody could manage the site. Make somebody else an owner first: invited people
        count after they have accepted.
      </Alert>
      <div className="row end">
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
