import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useState } from "react";

interface ConfirmDialogProps {
	readonly isOpen: boolean;
	readonly title: string;
	readonly say: string;
	/** Below what is said. */
	readonly children?: ReactNode;
	readonly cancel: string;
	/** What the press does; absent: there is nothing to press. */
	readonly word?: string;
	/** It takes something away. */
	readonly isDanger?: boolean;
	/** The dialog stays open until this settles, and cannot be confirmed twice. */
	confirm(): unknown;
	close(): void;
}

/** A confirmation. It opens with the focus on the button that changes nothing. */
export function ConfirmDialog({ isOpen, title, say, children, cancel, word, isDanger = false, confirm, close }: ConfirmDialogProps) {
	const [isBusy, setBusy] = useState(false);
	const press = () => {
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
					<div className="dialog-form">
						<AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
						<AlertDialog.Description className="soft">{say}</AlertDialog.Description>
						{children}
						<div className="flex end">
							<AlertDialog.Close className="btn lg">{cancel}</AlertDialog.Close>
							{word !== undefined && (
								<button type="button" className={`btn lg ${isDanger ? "danger" : "pri"}`} disabled={isBusy} onClick={press}>
									{word}
								</button>
							)}
						</div>
					</div>
				</AlertDialog.Popup>
			</AlertDialog.Portal>
		</AlertDialog.Root>
	);
}
