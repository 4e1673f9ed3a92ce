import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { DeliveryAction, LintFinding } from "@xworkmate/contracts";
import { Pencil } from "lucide-react";
import { type Ref, useState } from "react";
import { planCodeWords, planDoWords } from "../../strings/plans/plan-code-words.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { shortReason } from "../../text/plans/may-have-been-sent.ts";
import { Icon } from "../components/icon.tsx";
import { withKeys } from "../text/key-names.ts";
import { FindingList } from "./finding-list.tsx";

export type Decision = "send" | "edit" | "rerun" | "discard";

interface DecideBarProps {
	readonly action: DeliveryAction;
	/** What the rules of the channel found in the text that would be sent. */
	readonly lint: readonly LintFinding[];
	/** True if there is something to send. */
	readonly canSend: boolean;
	readonly canRerun: boolean;
	readonly hasText: boolean;
	readonly isBusy: boolean;
	/** True if what is shown may be out of date, so that no decision about it can be made. */
	readonly isOld: boolean;
	readonly editButton: Ref<HTMLButtonElement>;
	decide(decision: Exclude<Decision, "edit">): void;
	edit(): void;
}

/** What the user can do with a held message. If it may be hostile, sending it has to be confirmed. */
export function DecideBar({ action, lint, canSend, canRerun, hasText, isBusy, isOld, editButton, decide, edit }: DecideBarProps) {
	const [isAsked, setAsked] = useState(false);
	const { code } = action;
	const mayBeHostile = code !== undefined && planCodeWords[code].actions.includes("send_anyway");
	const sendWord = mayBeHostile ? planDoWords.send_anyway : words.send;
	return (
		<footer className="decide">
			{canSend && (
				<button
					type="button"
					className="btn lg pri"
					disabled={isOld}
					aria-disabled={isBusy}
					title={withKeys(words.send, "Mod+Enter")}
					onClick={() => (mayBeHostile ? setAsked(true) : decide("send"))}
				>
					{sendWord}
				</button>
			)}
			<button ref={editButton} type="button" className="btn lg" aria-disabled={isBusy} onClick={edit}>
				<Icon of={Pencil} />
				{canSend || hasText ? words.edit : words.write}
			</button>
			{isOld && <span className="muted small">{words.notCurrent}</span>}
			<span className="grow hide-n" />
			{canRerun && (
				<button type="button" className="btn lg quiet" disabled={isOld} aria-disabled={isBusy} onClick={() => decide("rerun")}>
					{words.rerun}
				</button>
			)}
			<button type="button" className="btn lg quiet" disabled={isOld} aria-disabled={isBusy} onClick={() => decide("discard")}>
				{words.discard}
			</button>
			<AlertDialog.Root open={isAsked} onOpenChange={setAsked}>
				<AlertDialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
					<AlertDialog.Backdrop className="scrim" />
					<AlertDialog.Popup className="dialog">
						<div className="dialog-form">
							<AlertDialog.Title className="dialog-title">{words.sendAnyway}</AlertDialog.Title>
							<AlertDialog.Description className="soft">{shortReason(action)}</AlertDialog.Description>
							{lint.length > 0 && <FindingList {...{ action, lint }} isChecked />}
							<div className="flex end">
								<AlertDialog.Close className="btn lg">{words.resend.cancel}</AlertDialog.Close>
								<AlertDialog.Close className="btn lg danger" onClick={() => decide("send")}>
									{words.sendAnywayNow}
								</AlertDialog.Close>
							</div>
						</div>
					</AlertDialog.Popup>
				</AlertDialog.Portal>
			</AlertDialog.Root>
		</footer>
	);
}
