import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useState } from "react";

interface ConfirmDialogProps {
	readonly isOpen: boolean;
	readonly title: string;
	readonly say: string;
	/** Shown below the text. */
	readonly children?: ReactNode;
	readonly cancel: string;
	/** The label of the button that confirms; absent if there is nothing to confirm. */
	readonly word?: string;
	/** True if something is removed. */
	readonly isDanger?: boolean;
	/**
	 * The dialog stays open until the returned promise settles, unless the user closes it. In the meantime, the user cannot confirm again.
	 */
	confirm(): unknown;
	close(): void;
}

/** Asks for confirmation. When the dialog opens, the focus is on its field or, if there is none, on the button that changes nothing. */
export function ConfirmDialog({ isOpen, title, say, children, cancel, word, isDanger = false, confirm, close }: ConfirmDialogProps) {
	const [isBusy, setBusy] = useState(false);
	const press = () => {
		if (word === undefined || isBusy) return;
		setBusy(true);
		void Promise.resolve(confirm()).finally(() => {
			setBusy(false);
			close();
		});
	};
	return (
		<AlertDialog.Root open={isOpen} onOpenChange={(is) => !is && close()}>
			<AlertDialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<AlertDialog.Backdrop className="scrim" />
				<AlertDialog.Popup className="dialog">
					<form
						className="dialog-form"
						// Enter in a field of the dialog confirms, like the button.
						onSubmit={(event) => {
							event.preventDefault();
							event.stopPropagation();
							press();
						}}
					>
						<AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
						<AlertDialog.Description className="soft">{say}</AlertDialog.Description>
						{children}
						<div className="flex end">
							<AlertDialog.Close className="btn lg">{cancel}</AlertDialog.Close>
							{word !== undefined && (
								<button type="submit" className={`btn lg ${isDanger ? "danger" : "pri"}`} disabled={isBusy}>
									{word}
								</button>
							)}
						</div>
					</form>
				</AlertDialog.Popup>
			</AlertDialog.Portal>
		</AlertDialog.Root>
	);
}
