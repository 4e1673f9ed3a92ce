import { Dialog } from "@base-ui/react/dialog";
import type { DeliveryAction } from "@xworkmate/contracts";
import { reviewWords } from "../../strings/plans/review-words.ts";
import { CopyLine } from "../components/copy-line.tsx";

const words = reviewWords.settle;

interface SettleDialogProps {
	readonly action: DeliveryAction;
	readonly isOpen: boolean;
	settle(outcome: "sent" | "not_sent"): void;
	close(): void;
}

/**
 * Asks the user for the outcome that the channel cannot report. No answer is preselected, and the first focus is on a button that settles
 * nothing.
 */
export function SettleDialog({ action, isOpen, settle, close }: SettleDialogProps) {
	const { message, providerMessageId } = action;
	return (
		<Dialog.Root open={isOpen} onOpenChange={(is) => !is && close()}>
			<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Dialog.Backdrop className="scrim" />
				<Dialog.Popup className="dialog">
					<div className="dialog-form">
						<Dialog.Title className="dialog-title" tabIndex={-1}>
							{words.title}
						</Dialog.Title>
						<div className="know">
							<div>
								<h3>{words.known}</h3>
								<ul>
									<li>{words.handedOver}</li>
									{message !== undefined && <li>{message}</li>}
									<li>{words.once}</li>
								</ul>
							</div>
							<div>
								<h3>{words.unknown}</h3>
								<ul>
									<li>{words.kept}</li>
								</ul>
							</div>
						</div>
						{providerMessageId !== undefined && (
							<div className="stack2">
								<Dialog.Description className="soft">{action.channel === "email" ? words.searchMail : words.search}</Dialog.Description>
								<CopyLine text={providerMessageId} />
							</div>
						)}
						<p className="hint">{words.final}</p>
						<div className="flex end wraps">
							<Dialog.Close className="btn lg quiet">{words.later}</Dialog.Close>
							<button type="button" className="btn lg" onClick={() => settle("not_sent")}>
								{words.notArrived}
							</button>
							<button type="button" className="btn lg" onClick={() => settle("sent")}>
								{words.arrived}
							</button>
						</div>
					</div>
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}
