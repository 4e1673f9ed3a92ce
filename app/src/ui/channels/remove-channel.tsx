import { AlertDialog } from "@base-ui/react/alert-dialog";
import { channelsWords } from "../../strings/review-words.ts";
import { callApp } from "../connection/call-app.ts";
import { attempt } from "../state/thread-actions.ts";

const words = channelsWords.email;

/** Forgets how mail is sent, after a question. */
export function RemoveChannel({ removed }: { removed(): void }) {
	const remove = () => attempt(() => callApp("removeChannel", { channel: "email" })).then(removed);
	return (
		<AlertDialog.Root>
			<AlertDialog.Trigger className="btn lg quiet">{words.remove}</AlertDialog.Trigger>
			<AlertDialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<AlertDialog.Backdrop className="scrim" />
				<AlertDialog.Popup className="dialog">
					<div className="dialog-form">
						<AlertDialog.Title className="dialog-title">{words.removeTitle}</AlertDialog.Title>
						<AlertDialog.Description className="soft">{words.removeSay}</AlertDialog.Description>
						<div className="flex end">
							<AlertDialog.Close className="btn lg">{words.keep}</AlertDialog.Close>
							<AlertDialog.Close className="btn lg danger" onClick={() => void remove()}>
								{words.removeNow}
							</AlertDialog.Close>
						</div>
					</div>
				</AlertDialog.Popup>
			</AlertDialog.Portal>
		</AlertDialog.Root>
	);
}
