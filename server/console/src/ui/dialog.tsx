import './dialog.css';
import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { describe } from '../app/errors';
import { Alert } from './alert';
import { Button } from './button';

interface DialogProps {
  isOpen: boolean;
  /** Without it, the dialog cannot be closed by the user. */
  onClose?: () => void;
  title: string;
  children: ReactNode;
  /** `alertdialog` for questions that must be answered. */
  role?: 'dialog' | 'alertdialog';
  wide?: boolean;
}

/** A modal dialog. */
export function Dialog({ isOpen, onClose, title, children, role = 'dialog', wide = false }: DialogProps) {
  useHeadingAfter(isOpen);
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={false}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => !open && onClose?.()}
    >
      <Modal className={wide ? 'modal wide' : 'modal'}>
        <AriaDialog role={role} className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** If the button that opened the dialog is gone, the focus moves to the page's heading. */
function useHeadingAfter(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const focusHeading = () => {
      if (document.activeElement === document.body) document.querySelector('h1')?.focus();
    };
    // Runs after the library, which restores the focus in the next frame.
    return () => void requestAnimationFrame(() => requestAnimationFrame(focusHeading));
  }, [isOpen]);
}

interface ConfirmProps {
  isOpen: boolean;
  title: string;
  children: ReactNode;
  /** The text of the button that confirms: a verb. */
  confirm: string;
  cancel?: string;
  /** The result of `useAction` if confirming makes a call; its error is shown here. */
  action?: { pending: boolean; error: Error | null };
  onConfirm: () => void;
  onCancel: () => void;
  isDisabled?: boolean;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmProps) {
  const { isOpen, title, children, confirm, cancel = 'Cancel', action, onConfirm, onCancel } = props;
  const failure = action?.error ? describe(action.error) : undefined;
  return (
    <Dialog isOpen={isOpen} onClose={onCancel} title={title} role="alertdialog">
      <div className="stack">{children}</div>
      {failure !== undefined && (
        <Alert tone="bad" title={failure.title} live>
          {failure.text}
        </Alert>
      )}
      <div className="row end">
        <Button onPress={onCancel} autoFocus>
          {cancel}
        </Button>
        <Button
          variant="danger"
          onPress={onConfirm}
          isPending={action?.pending ?? false}
          isDisabled={props.isDisabled ?? false}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
